//! Pipelines: data in segments along a tree. A rank receives the next segment while it forwards the last one.

use super::trees::Place;
use crate::workload::operation::Operation;

/// Data in segments. There is always at least one, perhaps empty.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segments {
    bytes: u64,
    segment: u64,
}

impl Segments {
    /// Cuts `bytes` into segments of `segment` bytes, or into one if that is `None`.
    pub fn new(bytes: u64, segment: Option<u64>) -> Self {
        Segments { bytes, segment: segment.unwrap_or(bytes).max(1) }
    }

    /// Returns the number of segments.
    pub fn count(self) -> u32 {
        self.bytes.div_ceil(self.segment).clamp(1, u64::from(u32::MAX)) as u32
    }

    /// Returns the bytes of a segment.
    pub fn size(self, index: u32) -> u64 {
        self.bytes.saturating_sub(u64::from(index) * self.segment).min(self.segment)
    }
}

/// Receives every segment from the parent and forwards it to all children.
pub(super) fn downwards(place: &Place, segments: Segments, operations: &mut Vec<Operation>) {
    let receive = |index: u32| Operation::irecv(place.parent, index, index % 2);
    let count = segments.count();
    if place.parent.is_some() {
        operations.push(receive(0));
    }
    for index in 0..count {
        if place.parent.is_some() {
            if index + 1 < count {
                operations.push(receive(index + 1));
            }
            operations.push(Operation::Wait { request: index % 2 });
        }
        send_to_all(&place.children, segments, index, operations);
    }
}

/// Receives every segment from all children and sends the combination to the parent.
pub(super) fn upwards(place: &Place, segments: Segments, operations: &mut Vec<Operation>) {
    let steps = || (0..segments.count()).flat_map(|index| place.children.iter().map(move |&child| (index, child)));
    let receive = |(step, (index, child)): (usize, (u32, u32))| Operation::irecv(child, index, step as u32 % 2);
    let mut receives = steps().enumerate().map(receive);
    operations.extend(receives.next());
    let mut step = 0;
    for index in 0..segments.count() {
        for _ in &place.children {
            operations.extend(receives.next());
            operations.push(Operation::Wait { request: step % 2 });
            step += 1;
        }
        if let Some(parent) = place.parent {
            operations.push(Operation::send(parent, index, segments.size(index)));
        }
    }
}

/// Starts the sends of one segment and waits for all of them.
pub(super) fn send_to_all(children: &[u32], segments: Segments, index: u32, operations: &mut Vec<Operation>) {
    // Requests 0 and 1 belong to the receives.
    let request = |child: usize| child as u32 + 2;
    for (i, &to) in children.iter().enumerate() {
        let (tag, bytes) = (index, segments.size(index));
        operations.push(Operation::isend(to, tag, bytes, request(i)));
    }
    operations.extend((0..children.len()).map(|i| Operation::Wait { request: request(i) }));
}
