//! What packets say where nodes answer each other.

/// What a packet is between two nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// It carries data.
    #[default]
    Data,
    /// It acknowledges data.
    Ack,
    /// It says that a packet is missing.
    Missing,
}

/// What a packet says.
#[derive(Clone, Copy, Debug, Default)]
pub struct Header {
    pub kind: Kind,
    /// A switch has marked it.
    pub marked: bool,
    /// A switch has cut its data off.
    pub trimmed: bool,
    /// Its sender may send no more before it is acknowledged.
    pub asks: bool,
    /// Data: its number between the two nodes. Missing: the number of that packet. Acknowledgements: the lowest number
    /// that has not come.
    pub number: u64,
    /// Acknowledgements: which of 64 numbers have come: the first of them, and a bit each.
    pub map: (u64, u64),
    /// Acknowledgements: the bytes that have come in all.
    pub bytes: u64,
    /// When it was sent; acknowledgements: when the packet was sent that they answer.
    pub sent_at: u64,
}
