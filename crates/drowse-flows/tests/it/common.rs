//! Random networks and flows, described apart from the solver.

use drowse_flows::{DENOMINATOR, Fairness, Hop, Rates};

/// A plain generator of numbers (splitmix64), the same everywhere.
pub struct Draw(pub u64);

impl Draw {
    /// Returns a number below `end`.
    pub fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % end
    }

    /// Returns whether one of `of` cases holds.
    pub fn once_in(&mut self, of: u64) -> bool {
        self.below(of) == 0
    }

    /// Puts a list into random order.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for end in (1..list.len()).rev() {
            list.swap(end, self.below(end as u64 + 1) as usize);
        }
    }
}

/// A flow as a test describes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Flow {
    pub hops: Vec<Hop>,
    pub weight: u32,
    pub cap: Option<u64>,
}

impl Flow {
    /// Makes a whole flow of weight 1 without a cap.
    pub fn over(links: &[u32]) -> Self {
        Flow { hops: links.iter().copied().map(Hop::whole).collect(), weight: 1, cap: None }
    }

    /// Sets the weight of the flow.
    pub fn weight(self, weight: u32) -> Self {
        Flow { weight, ..self }
    }

    /// Sets the cap of the flow.
    pub fn cap(self, cap: u64) -> Self {
        Flow { cap: Some(cap), ..self }
    }

    /// Adds the flow to a solver.
    pub fn insert(&self, rates: &mut Rates) -> u32 {
        rates.insert(&self.hops, self.weight, self.cap)
    }
}

/// Solves flows that all come at once, and returns their rates in order.
pub fn solved(capacities: &[u64], flows: &[Flow], fairness: Fairness) -> Vec<u64> {
    let mut rates = Rates::new(capacities.to_vec(), fairness);
    let ids: Vec<u32> = flows.iter().map(|flow| flow.insert(&mut rates)).collect();
    rates.solve();
    ids.iter().map(|id| rates.rate(*id)).collect()
}

/// What random networks are like.
#[expect(clippy::struct_excessive_bools, reason = "each is drawn by itself")]
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    pub links: u64,
    /// Capacities are from 1 to this, or all this where they are equal.
    pub greatest: u64,
    pub is_equal: bool,
    pub has_weights: bool,
    pub has_caps: bool,
    pub has_splits: bool,
    pub longest: u64,
}

impl Kind {
    /// Draws a kind.
    pub fn draw(draw: &mut Draw) -> Self {
        Kind {
            links: 2 + draw.below(14),
            greatest: [7, 100, 1_000, 12_800_000_000_000][draw.below(4) as usize],
            is_equal: draw.once_in(2),
            has_weights: draw.once_in(3),
            has_caps: draw.once_in(3),
            has_splits: draw.once_in(4),
            longest: 1 + draw.below(5),
        }
    }

    /// Draws a capacity.
    pub fn capacity(&self, draw: &mut Draw) -> u64 {
        if self.is_equal { self.greatest } else { 1 + draw.below(self.greatest) }
    }

    /// Draws capacities of all links.
    pub fn capacities(&self, draw: &mut Draw) -> Vec<u64> {
        (0..self.links).map(|_| self.capacity(draw)).collect()
    }

    /// Draws a cap, now and then one of zero.
    pub fn cap(&self, draw: &mut Draw) -> Option<u64> {
        (self.has_caps && draw.once_in(3)).then(|| if draw.once_in(5) { 0 } else { 1 + draw.below(self.greatest) })
    }

    /// Draws a flow.
    pub fn flow(&self, draw: &mut Draw) -> Flow {
        let mut links: Vec<u32> = (0..self.links as u32).collect();
        draw.shuffle(&mut links);
        links.truncate(1 + draw.below(self.longest.min(self.links)) as usize);
        let mut hops: Vec<Hop> = links.into_iter().map(Hop::whole).collect();
        if self.has_splits && draw.once_in(2) {
            for hop in &mut hops {
                hop.share = DENOMINATOR / [1, 2, 3, 16][draw.below(4) as usize];
            }
        }
        let weight = if self.has_weights { 1 + draw.below(4) as u32 } else { 1 };
        Flow { hops, weight, cap: self.cap(draw) }
    }
}
