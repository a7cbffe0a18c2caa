//! Ways through crossbars to the queues of outputs, where an output takes in several packets at a time.

/// When the ways to each output are free, if outputs have several. Virtual channel `v` of an output has way `v` modulo
/// their number.
#[derive(Debug, Default)]
pub struct Ways {
    /// Ways to each output.
    count: usize,
    /// When each is free, by output, then by way.
    free_at: Vec<u64>,
}

impl Ways {
    /// Creates free ways, so many to each output; none where that is one, which the state of its channel describes.
    pub fn new(outputs: usize, count: u8) -> Self {
        let count = usize::from(count);
        Ways { count, free_at: vec![0; if count > 1 { outputs * count } else { 0 }] }
    }

    /// Returns whether outputs have several ways.
    #[inline]
    pub fn several(&self) -> bool {
        !self.free_at.is_empty()
    }

    /// Returns the number of ways to all outputs, where these have several.
    pub fn len(&self) -> usize {
        self.free_at.len()
    }

    /// Returns the number of the way to a virtual channel, if its channel is one of several ways.
    #[inline]
    pub fn of(&self, channel: usize, vc: u8) -> Option<usize> {
        let first = channel * self.count;
        (first < self.free_at.len()).then(|| first + usize::from(vc) % self.count)
    }

    /// Returns when the way to a virtual channel is free; 0 where its output has a single one.
    #[inline]
    pub fn free_at(&self, channel: usize, vc: u8) -> u64 {
        self.of(channel, vc).map_or(0, |way| self.free_at[way])
    }

    /// Returns the virtual channels, one bit each, to which ways are free before a time.
    #[inline]
    pub fn free_before(&self, channel: usize, t: u64) -> u8 {
        if channel * self.count >= self.free_at.len() {
            return u8::MAX;
        }
        (0..8).map(|vc| u8::from(self.free_at(channel, vc) < t) << vc).sum()
    }

    /// Returns when the first of the ways to an output is free that are not before a time.
    pub fn next_free(&self, channel: usize, t: u64) -> Option<u64> {
        self.to(channel)?.iter().copied().filter(|&at| at >= t).min()
    }

    /// Takes a way until a time; returns when the first of those to the same output is free.
    pub fn take(&mut self, way: usize, until: u64) -> u64 {
        self.free_at[way] = until;
        self.to(way / self.count).and_then(|ways| ways.iter().copied().min()).unwrap_or(until)
    }

    /// Returns when the ways to an output are free, if there are several.
    fn to(&self, channel: usize) -> Option<&[u64]> {
        self.free_at.get(channel * self.count..(channel + 1) * self.count).filter(|ways| !ways.is_empty())
    }
}
