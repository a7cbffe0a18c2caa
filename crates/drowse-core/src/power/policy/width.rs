//! Whether links consist of lanes that go off.

/// Divides links into lanes.
///
/// Where a link has several lanes, [`super::TrunkPolicy::resize`] decides on the lanes of each link, which are doubled
/// and halved, and not on the ports of a trunk.
pub trait WidthPolicy {
    /// Returns the number of lanes of each link of a class: a power of two, at most 16.
    fn lanes(&self, class: u8) -> u8 {
        let _ = class;
        1
    }
}
