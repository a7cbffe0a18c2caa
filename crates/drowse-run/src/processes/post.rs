//! Values instead of bytes, and what they cost.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::peers::{Letter, Peers};
use crate::cost::Exchanged;
use crate::error::RunError;

/// Sends values to the other processes of a run, and counts them.
pub struct Post<'p> {
    peers: &'p mut dyn Peers,
    /// What this process has sent.
    pub exchanged: Exchanged,
}

impl<'p> Post<'p> {
    /// Begins to count.
    pub fn new(peers: &'p mut dyn Peers) -> Self {
        Post { peers, exchanged: Exchanged::default() }
    }

    /// Returns the number of this process.
    pub fn number(&self) -> usize {
        self.peers.number()
    }

    /// Tells all processes a value, and returns those of all, in their order.
    pub fn tell_all<T: Serialize + DeserializeOwned>(&mut self, value: &T) -> Result<Vec<T>, RunError> {
        let bytes = self.write(value)?;
        self.exchanged.bytes += bytes.len() as u64;
        let told = self.peers.tell_all(&bytes)?;
        told.iter().map(|bytes| self.read(bytes)).collect()
    }

    /// Joins a value of this process with those of all others; what comes out is the same in each.
    pub fn join<T: Serialize + DeserializeOwned>(
        &mut self,
        value: T,
        join: impl FnMut(T, T) -> T,
    ) -> Result<T, RunError> {
        let all = self.tell_all(&value)?;
        Ok(all.into_iter().reduce(join).unwrap_or(value))
    }

    /// Sends values to other processes, and receives those that some of the others have for this one.
    pub fn exchange<T: Serialize + DeserializeOwned>(
        &mut self,
        values: &[(usize, T)],
        from: &[usize],
    ) -> Result<Vec<T>, RunError> {
        let letter = |(to, value): &(usize, T)| Ok((*to, self.write(value)?));
        let letters = values.iter().map(letter).collect::<Result<Vec<Letter>, RunError>>()?;
        self.exchanged.bytes += letters.iter().map(|(_, bytes)| bytes.len() as u64).sum::<u64>();
        let received = self.peers.exchange(&letters, from)?;
        received.iter().map(|bytes| self.read(bytes)).collect()
    }

    /// Gathers a value of each process at process 0, in the order of processes; the others get none.
    pub fn gather<T: Serialize + DeserializeOwned>(&mut self, value: T) -> Result<Vec<T>, RunError> {
        if self.number() == 0 {
            let others: Vec<usize> = (1..self.peers.count()).collect();
            let received = self.exchange(&[], &others)?;
            return Ok(std::iter::once(value).chain(received).collect());
        }
        self.exchange(&[(0, value)], &[])
    }

    fn write<T: Serialize>(&self, value: &T) -> Result<Vec<u8>, RunError> {
        postcard::to_stdvec(value).map_err(|error| self.damaged(&error))
    }

    fn read<T: DeserializeOwned>(&self, bytes: &[u8]) -> Result<T, RunError> {
        postcard::from_bytes(bytes).map_err(|error| self.damaged(&error))
    }

    fn damaged(&self, error: &postcard::Error) -> RunError {
        self.peers.abort();
        RunError::Machine(format!("what processes send each other is damaged: {error}"))
    }
}
