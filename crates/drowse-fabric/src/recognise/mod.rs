//! By what the formats that others have are recognised.

pub mod signs;
pub mod text;
