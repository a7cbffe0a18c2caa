//! Bit masks of input queues that need more than one word.

/// The words of masks beyond the first.
#[derive(Debug, Default)]
pub struct WideMasks {
    /// So many for each output.
    pub(super) count: usize,
    pub(super) words: Vec<u64>,
}

impl WideMasks {
    /// Creates the other words of empty masks of `words` words each.
    pub fn new(words: usize, outputs: usize) -> Self {
        let count = words.saturating_sub(1);
        WideMasks { count, words: vec![0; count * outputs] }
    }

    #[inline(never)]
    pub(super) fn of(&self, channel: usize) -> &[u64] {
        &self.words[channel * self.count..][..self.count]
    }
}
