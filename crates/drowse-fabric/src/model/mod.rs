//! What every description of a network says, put together: vertices and the links between them.

pub mod attributes;
mod build;
pub mod fabric;
mod hosted;
mod left_out;
mod node_links;
mod parts;
pub mod speed;
pub mod vertices;
pub mod wrong;
