//! By what the formats that others have are recognised.

pub mod infiniband;
pub mod signs;
pub mod text;
