//! Where the parts of a flow are, switch by switch, while its route is laid.

/// A part of a flow at a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The switch.
    pub switch: u32,
    /// What packets of the part remember of their route.
    pub route: u16,
    /// The number of the packet that it is; 0 where it is several.
    pub part: u16,
    /// The virtual channel on which that comes.
    pub vc: u8,
    /// How much of the flow it is, of [`drowse_flows::DENOMINATOR`].
    pub share: u32,
    /// A step by which it has come.
    pub input: u32,
}

/// The parts of a flow that are equally many hops from its node.
#[derive(Debug, Default)]
pub struct Places(Vec<Place>);

impl Places {
    /// Adds a part; it joins one that goes on alike.
    pub fn add(&mut self, place: Place) {
        let alike = |other: &&mut Place| {
            (other.switch, other.route, other.part, other.vc) == (place.switch, place.route, place.part, place.vc)
        };
        match self.0.iter_mut().find(alike) {
            Some(other) => other.share += place.share,
            None => self.0.push(place),
        }
    }

    /// Returns the parts.
    pub fn iter(&self) -> impl Iterator<Item = Place> + '_ {
        self.0.iter().copied()
    }

    /// Takes up parts that have been kept.
    pub fn take_up(&mut self, places: &[Place]) {
        self.0.clear();
        self.0.extend_from_slice(places);
    }

    /// Returns the parts.
    pub fn as_slice(&self) -> &[Place] {
        &self.0
    }

    /// Removes all.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Returns whether all parts are at a switch.
    pub fn all_at(&self, switch: u32) -> bool {
        self.0.iter().all(|place| place.switch == switch)
    }
}
