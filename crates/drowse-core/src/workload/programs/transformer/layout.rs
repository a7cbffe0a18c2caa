//! Which ranks share what: shares of a layer are consecutive, then parts of a sequence, then replicas, then stages.

use super::Parallelism;

/// Where a rank is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub rank: u32,
    /// Its share of the matrices.
    pub share: u32,
    /// Its part of the sequences.
    pub context: u32,
    pub replica: u32,
    pub stage: u32,
}

/// What the ranks of a group do together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Axis {
    /// They share the matrices of a layer.
    Tensor,
    /// They share sequences.
    Context,
    /// They share the experts of a layer.
    Expert,
    /// They have the same weights, but for experts.
    Replicas,
    /// They have the same experts.
    ExpertReplicas,
}

impl Axis {
    pub const ALL: [Axis; 5] = [Axis::Tensor, Axis::Context, Axis::Expert, Axis::Replicas, Axis::ExpertReplicas];
}

/// A group of ranks, as one of them sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Group {
    /// Its place in the group.
    pub place: u32,
    /// The ranks of the group.
    pub ranks: u32,
    first: u32,
    /// So many ranks are at the first distance from each other; such rows are at the second.
    row: u32,
    distances: [u32; 2],
}

impl Group {
    /// Returns the rank at a place.
    pub fn at(&self, place: u32) -> u32 {
        let place = place % self.ranks;
        self.first + place % self.row * self.distances[0] + place / self.row * self.distances[1]
    }

    /// Returns the rank so many places ahead.
    pub fn ahead(&self, places: u32) -> u32 {
        self.at(self.place + places)
    }

    /// Returns the rank so many places behind, at most as many as there are ranks.
    pub fn behind(&self, places: u32) -> u32 {
        self.at(self.place + self.ranks - places)
    }
}

impl Parallelism {
    /// Returns the number of ranks.
    pub(super) fn ranks(&self) -> u32 {
        self.tensor * self.context * self.data * self.pipeline
    }

    /// Returns the ranks of a stage.
    fn stage(&self) -> u32 {
        self.tensor * self.context * self.data
    }

    pub(super) fn place(&self, rank: u32) -> Place {
        Place {
            rank,
            share: rank % self.tensor,
            context: rank / self.tensor % self.context,
            replica: rank / (self.tensor * self.context) % self.data,
            stage: rank / self.stage(),
        }
    }

    /// Returns the same rank of another stage.
    pub(super) fn in_stage(&self, at: &Place, stage: u32) -> u32 {
        at.rank % self.stage() + stage * self.stage()
    }

    /// Returns the ranks of a group.
    pub(super) fn size(&self, axis: Axis) -> u32 {
        match axis {
            Axis::Tensor => self.tensor,
            Axis::Context => self.context,
            Axis::Expert => self.expert,
            Axis::Replicas => self.context * self.data,
            Axis::ExpertReplicas => self.context * (self.data / self.expert),
        }
    }

    /// Returns the group of a rank.
    pub(super) fn group(&self, axis: Axis, at: &Place) -> Group {
        let (tensor, context, expert) = (self.tensor, self.context, self.expert);
        let replica = tensor * context;
        let (place, row, distances) = match axis {
            Axis::Tensor => (at.share, tensor, [1, 0]),
            Axis::Context => (at.context, context, [tensor, 0]),
            Axis::Expert => (at.replica % expert, expert, [replica, 0]),
            Axis::Replicas => (at.context + context * at.replica, context * self.data, [tensor, 0]),
            Axis::ExpertReplicas => (at.context + context * (at.replica / expert), context, [tensor, replica * expert]),
        };
        let first = at.rank - place % row * distances[0] - place / row * distances[1];
        Group { place, ranks: self.size(axis), first, row, distances }
    }

    /// Returns the number of a rank's group among those of its kind.
    fn number(&self, axis: Axis, at: &Place) -> u32 {
        match axis {
            Axis::Tensor => at.rank / self.tensor,
            Axis::Context => at.rank / (self.tensor * self.context) * self.tensor + at.share,
            Axis::Expert => {
                let replica = self.tensor * self.context;
                at.rank / (replica * self.expert) * replica + at.rank % replica
            }
            Axis::Replicas => at.stage * self.tensor + at.share,
            Axis::ExpertReplicas => (at.stage * self.expert + at.replica % self.expert) * self.tensor + at.share,
        }
    }

    /// Returns the number of a rank's group among those of several kinds, whose groups are in that order.
    pub(super) fn number_among(&self, axes: impl Iterator<Item = Axis>, axis: Axis, at: &Place) -> u32 {
        let before = axes.take_while(|&other| other != axis).map(|other| self.ranks() / self.size(other));
        before.sum::<u32>() + self.number(axis, at)
    }

    /// Returns the ranks of all groups of some kinds.
    pub(super) fn groups(&self, axes: impl Iterator<Item = Axis>) -> Vec<Vec<u32>> {
        let mut groups = Vec::new();
        for axis in axes {
            let first = groups.len();
            groups.resize(first + (self.ranks() / self.size(axis)) as usize, Vec::new());
            for rank in 0..self.ranks() {
                let at = self.place(rank);
                let group = self.group(axis, &at);
                if group.place == 0 {
                    let number = first + self.number(axis, &at) as usize;
                    groups[number] = (0..group.ranks).map(|place| group.at(place)).collect();
                }
            }
        }
        groups
    }
}
