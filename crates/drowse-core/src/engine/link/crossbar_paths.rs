//! Crossbar paths to the queues of outputs, where an output takes in several packets at a time.

/// When the crossbar paths to each output are free, if outputs have several. Virtual channel `v` of an output has path `v`
/// modulo their number.
#[derive(Debug, Default)]
pub struct CrossbarPaths {
    /// Paths to each output.
    count: usize,
    /// When each is free, by output, then by path.
    free_at: Vec<u64>,
}

impl CrossbarPaths {
    /// Creates free paths, so many to each output; none where that is one, which the state of its channel describes.
    pub fn new(outputs: usize, count: u8) -> Self {
        let count = usize::from(count);
        CrossbarPaths { count, free_at: vec![0; if count > 1 { outputs * count } else { 0 }] }
    }

    /// Returns whether outputs have several paths.
    #[inline]
    pub fn several(&self) -> bool {
        !self.free_at.is_empty()
    }

    /// Returns the number of paths to all outputs, where these have several.
    pub fn len(&self) -> usize {
        self.free_at.len()
    }

    /// Returns the number of the path to a virtual channel, if its channel has several paths.
    #[inline]
    pub fn of(&self, channel: usize, vc: u8) -> Option<usize> {
        let first = channel * self.count;
        (first < self.free_at.len()).then(|| first + usize::from(vc) % self.count)
    }

    /// Returns when the path to a virtual channel is free; 0 where its output has a single one.
    #[inline]
    pub fn free_at(&self, channel: usize, vc: u8) -> u64 {
        self.of(channel, vc).map_or(0, |way| self.free_at[way])
    }

    /// Returns the virtual channels, one bit each, to which paths are free before a time.
    #[inline]
    pub fn free_before(&self, channel: usize, t: u64) -> u8 {
        if channel * self.count >= self.free_at.len() {
            return u8::MAX;
        }
        (0..8).map(|vc| u8::from(self.free_at(channel, vc) < t) << vc).sum()
    }

    /// Returns when the first of the paths to an output is free that are not before a time.
    pub fn next_free(&self, channel: usize, t: u64) -> Option<u64> {
        self.to(channel)?.iter().copied().filter(|&at| at >= t).min()
    }

    /// Takes a path until a time; returns when the first path to the same output is free.
    pub fn take(&mut self, way: usize, until: u64) -> u64 {
        self.free_at[way] = until;
        self.to(way / self.count).and_then(|paths| paths.iter().copied().min()).unwrap_or(until)
    }

    /// Returns when the paths to an output are free, if there are several.
    fn to(&self, channel: usize) -> Option<&[u64]> {
        self.free_at.get(channel * self.count..(channel + 1) * self.count).filter(|paths| !paths.is_empty())
    }
}
