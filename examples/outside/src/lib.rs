//! Kinds of one's own: each is a file here and a line in [`kinds`]. Experiment files name them like those of Drowse, and
//! all commands know them.

mod cables;
mod first_link;
mod message_list;
mod neighbours;
mod opposite;
mod root_and_back;
mod star;
mod token;
mod twice_the_mean;

use drowse_experiment::Kinds;

pub use twice_the_mean::TwiceTheMean;

/// Returns all that experiments may name: what Drowse knows, and the kinds of this crate.
pub fn kinds() -> Kinds {
    Kinds::default()
        .network::<star::Star>()
        .network_format(cables::FORMAT)
        .routing::<first_link::FirstLink>()
        .policy::<twice_the_mean::TwiceTheMeanKeys>(twice_the_mean::KIND)
        .program::<token::Token>()
        .collective::<root_and_back::RootAndBack>()
        .collective::<neighbours::Neighbours>()
        .pattern::<opposite::Opposite>()
        .format(message_list::FORMAT)
}
