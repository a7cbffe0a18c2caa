//! Counts which channels packets ask for from which, each pair once.

use super::trunks::Trunks;

/// The direct dependencies seen so far: from a channel to those that leave the switch that it leads to.
#[derive(Debug)]
pub struct Direct<'a> {
    trunks: &'a Trunks,
    vcs: u32,
    /// Words of a set of channels at a switch.
    words: usize,
    /// By channel: those that are asked for from it, numbered at their switch.
    asked: Vec<u64>,
    /// By state of a packet: those by which packets come, each numbered as the opposite channel.
    came_by: Vec<u64>,
    /// What of that outlives the packets to one destination; empty where nothing does.
    kept: Vec<u64>,
    /// Those that a packet asks for.
    wanted: Vec<u64>,
}

impl<'a> Direct<'a> {
    /// Starts with none.
    pub fn new(trunks: &'a Trunks, vcs: u32, states: usize) -> Self {
        let words = words(trunks, vcs);
        let channels = (trunks.count() * vcs) as usize;
        Direct {
            trunks,
            vcs,
            words,
            asked: vec![0; channels * words],
            came_by: vec![0; states * words],
            kept: Vec::new(),
            wanted: vec![0; words],
        }
    }

    /// Keeps by which channels packets come to a state: they will go on to other destinations.
    pub fn keep(&mut self, state: usize) {
        self.kept.resize(self.came_by.len(), 0);
        let places = state * self.words..(state + 1) * self.words;
        self.kept[places.clone()].iter_mut().zip(&self.came_by[places]).for_each(|(kept, came)| *kept |= came);
    }

    /// Adds a state that packets reach over the kept channels.
    pub fn restore(&mut self, state: usize) {
        if !self.kept.is_empty() {
            let places = state * self.words..(state + 1) * self.words;
            self.came_by[places.clone()].iter_mut().zip(&self.kept[places]).for_each(|(came, kept)| *came |= kept);
        }
    }

    /// Forgets the packets, not what they have asked for.
    pub fn next_destination(&mut self) {
        self.came_by.fill(0);
    }

    /// Adds a state that packets reach over a channel.
    pub fn come(&mut self, state: usize, channel: u32) {
        let (trunk, vc) = (channel / self.vcs, channel % self.vcs);
        let place = self.place(self.trunks.opposite[trunk as usize], vc);
        self.came_by[state * self.words + place / 64] |= 1 << (place % 64);
    }

    /// Adds the channels that packets of a state request at a switch.
    pub fn ask(&mut self, state: usize, switch: u32, channels: impl Iterator<Item = u32>) {
        self.wanted.fill(0);
        for channel in channels {
            let place = self.place(channel / self.vcs, channel % self.vcs);
            self.wanted[place / 64] |= 1 << (place % 64);
        }
        let first = self.trunks.of_switch(switch).start;
        for word in 0..self.words {
            let mut bits = self.came_by[state * self.words + word];
            while bits != 0 {
                let place = word as u32 * 64 + bits.trailing_zeros();
                bits &= bits - 1;
                let trunk = self.trunks.opposite[(first + place / self.vcs) as usize];
                let asked =
                    &mut self.asked[(trunk * self.vcs + place % self.vcs) as usize * self.words..][..self.words];
                asked.iter_mut().zip(&self.wanted).for_each(|(asked, wanted)| *asked |= wanted);
            }
        }
    }

    /// Adds the dependency of a channel on one that packets request at its end.
    pub fn depend(&mut self, held: u32, channel: u32) {
        let place = self.place(channel / self.vcs, channel % self.vcs);
        self.asked[held as usize * self.words + place / 64] |= 1 << (place % 64);
    }

    /// Returns the number of pairs.
    pub fn count(&self) -> u64 {
        self.asked.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// Returns by channel which of those at its end are asked for from it, as [`place`] numbers them.
    pub fn into_asked(self) -> Vec<u64> {
        self.asked
    }

    fn place(&self, trunk: u32, vc: u32) -> usize {
        place(self.trunks, self.vcs, trunk, vc)
    }
}

/// Numbers a channel among those that leave its switch.
pub fn place(trunks: &Trunks, vcs: u32, trunk: u32, vc: u32) -> usize {
    let switch = trunks.leads_to[trunks.opposite[trunk as usize] as usize];
    ((trunk - trunks.of_switch(switch).start) * vcs + vc) as usize
}

/// Returns the words of a set of the channels that leave a switch.
pub fn words(trunks: &Trunks, vcs: u32) -> usize {
    ((trunks.most_of_a_switch() * vcs) as usize).div_ceil(64)
}
