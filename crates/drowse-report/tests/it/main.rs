//! Pages made of tables written by hand.

mod page;
mod wrong_folders;
