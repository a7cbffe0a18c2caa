//! Finds the period of a sequence, for example of the calls of an iterative program.
//!
//! A stretch is a range of the sequence that repeats one period. The longest stretch determines the period. It may
//! begin and end anywhere, so set-up before it and verification after it do not matter. The search then looks for other
//! stretches of the same period on both sides, because many programs do something else every few iterations.
//!
//! The longest stretch is found with windows of one length. Equal windows get equal names, and each window is compared
//! with the last equal one before it. Within a stretch, a window of at least a period has its equal exactly one period
//! earlier, because all rotations of the shortest period differ. So consecutive windows at one distance form a stretch.
//! The windows double in length until no period of that length fits three times. The search takes O(n log n).

use std::ops::Range;

use rustc_hash::FxHashMap;

/// How often a period must repeat in a row to count.
const LEAST_TIMES: usize = 3;

/// The period of a sequence and where it repeats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Periodic {
    /// The length of the period.
    pub period: usize,
    /// The stretches that repeat the period, in order, each at least three quarters of a period long.
    pub stretches: Vec<Range<usize>>,
}

impl Periodic {
    /// Returns the number of periods. The last period of a stretch may lack up to a quarter.
    pub fn times(&self) -> usize {
        let of = |stretch: &Range<usize>| (stretch.len() - identifying(self.period)) / self.period + 1;
        self.stretches.iter().map(of).sum()
    }

    /// Returns where a period is, by its number from 0. The last one of a stretch may be shorter.
    pub fn occurrence(&self, mut number: usize) -> Option<Range<usize>> {
        for stretch in &self.stretches {
            let times = (stretch.len() - identifying(self.period)) / self.period + 1;
            if number < times {
                let start = stretch.start + number * self.period;
                return Some(start..(start + self.period).min(stretch.end));
            }
            number -= times;
        }
        None
    }

    /// Returns whether a period begins at a place.
    pub fn begins_at(&self, place: usize) -> bool {
        let later = self.stretches.partition_point(|stretch| stretch.start <= place);
        let Some(stretch) = later.checked_sub(1).map(|last| &self.stretches[last]) else { return false };
        (place - stretch.start).is_multiple_of(self.period) && place + identifying(self.period) <= stretch.end
    }
}

/// Finds the longest stretch of at least three periods, and all other stretches of the same period.
pub fn find(sequence: &[u64]) -> Option<Periodic> {
    let (longest, period) = longest(sequence)?;
    let cycle = &sequence[longest.start..longest.start + period];
    let mut stretches = Vec::new();
    let mut from = 0;
    let head = Head::new(&cycle[..identifying(period)]);
    while let Some(start) = head.find_in(sequence, from) {
        let same = |(at, element): &(usize, &u64)| cycle[at % period] == **element;
        let length = sequence[start..].iter().enumerate().take_while(same).count();
        from = start + length;
        stretches.push(start..from);
    }
    Some(Periodic { period, stretches })
}

/// Returns how many elements of a period identify it.
fn identifying(period: usize) -> usize {
    (3 * period).div_ceil(4)
}

/// Returns the longest stretch of at least three periods and its shortest period. Ties go to the first.
fn longest(sequence: &[u64]) -> Option<(Range<usize>, usize)> {
    let mut names = name(sequence.iter().copied());
    let mut window = 1;
    let mut longest: Option<(Range<usize>, usize)> = None;
    // A period is at most a third of the sequence and needs windows of less than twice its length.
    while 3 * window < 2 * sequence.len() {
        each_stretch(&names, window, |stretch, period| {
            let best = longest.as_ref().map_or(LEAST_TIMES * period - 1, |(longest, _)| longest.len());
            if stretch.len() > best && stretch.len() >= LEAST_TIMES * period {
                longest = Some((stretch, period));
            }
        });
        let pair = |(&first, &second): (&u32, &u32)| u64::from(first) << 32 | u64::from(second);
        names = name(names.iter().zip(names.get(window..).unwrap_or_default()).map(pair));
        window *= 2;
    }
    longest
}

/// Numbers values in the order of their first occurrence.
fn name(values: impl Iterator<Item = u64>) -> Vec<u32> {
    let mut names = FxHashMap::default();
    values
        .map(|value| {
            let next = names.len() as u32;
            *names.entry(value).or_insert(next)
        })
        .collect()
}

/// Calls `visit` with each stretch that windows of a length reveal, and its period, given the names of the windows.
fn each_stretch(names: &[u32], window: usize, mut visit: impl FnMut(Range<usize>, usize)) {
    const NEVER: usize = usize::MAX;
    let mut last = vec![NEVER; names.len()];
    // The first window of the current stretch, and the distance to its equal before it.
    let mut stretch: Option<(usize, usize)> = None;
    for at in 0..=names.len() {
        let before = names.get(at).map_or(NEVER, |&name| std::mem::replace(&mut last[name as usize], at));
        let distance = (before != NEVER).then(|| at - before);
        if stretch.map(|(_, distance)| distance) != distance {
            if let Some((first, period)) = stretch {
                visit(first - period..at + window - 1, period);
            }
            stretch = distance.map(|distance| (at, distance));
        }
    }
}

/// The first elements of a period, prepared for a Knuth-Morris-Pratt search.
struct Head<'a> {
    elements: &'a [u64],
    /// For each prefix, the length of its longest border: a proper prefix that is also a suffix.
    borders: Vec<usize>,
}

impl<'a> Head<'a> {
    fn new(elements: &'a [u64]) -> Self {
        let mut head = Head { elements, borders: vec![0; elements.len()] };
        let mut matched = 0;
        for (at, &element) in elements.iter().enumerate().skip(1) {
            matched = head.extend(matched, element);
            head.borders[at] = matched;
        }
        head
    }

    /// Returns the matched length after one more element.
    fn extend(&self, mut matched: usize, element: u64) -> usize {
        while self.elements[matched] != element {
            if matched == 0 {
                return 0;
            }
            matched = self.borders[matched - 1];
        }
        matched + 1
    }

    /// Returns the first occurrence at or after a place.
    fn find_in(&self, sequence: &[u64], from: usize) -> Option<usize> {
        let mut matched = 0;
        for (at, &element) in sequence.iter().enumerate().skip(from) {
            matched = self.extend(matched, element);
            if matched == self.elements.len() {
                return Some(at + 1 - matched);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn letters(text: &str) -> Vec<u64> {
        text.bytes().map(u64::from).collect()
    }

    fn found(text: &str) -> Option<(usize, Vec<usize>)> {
        let periodic = find(&letters(text))?;
        let begins: Vec<usize> = (0..text.len()).filter(|&place| periodic.begins_at(place)).collect();
        assert_eq!(begins.len(), periodic.times());
        let places: Vec<_> = (0..begins.len()).map(|number| periodic.occurrence(number).unwrap()).collect();
        assert_eq!(places.iter().map(|place| place.start).collect::<Vec<_>>(), begins);
        assert!(places.iter().all(|place| place.len() <= periodic.period && place.end <= text.len()), "{places:?}");
        assert_eq!(periodic.occurrence(begins.len()), None);
        Some((periodic.period, begins))
    }

    proptest! {
        /// A head is found where looking at every place finds it, whatever it has in common with itself.
        #[test]
        fn heads_are_found(
            head in prop::collection::vec(0u64..2, 1..7),
            sequence in prop::collection::vec(0u64..2, 0..60),
            from in 0usize..20,
        ) {
            let naive = (from..sequence.len()).find(|&at| sequence[at..].starts_with(&head));
            prop_assert_eq!(Head::new(&head).find_in(&sequence, from), naive);
        }
    }

    #[test]
    fn sequences_by_hand() {
        assert_eq!(found(""), None);
        assert_eq!(found("abcdefg"), None);
        assert_eq!(found("abab"), None, "two periods are too few");
        assert_eq!(found("aaa"), Some((1, vec![0, 1, 2])));
        assert_eq!(found("xyabcabcabcz"), Some((3, vec![2, 5, 8])));
        assert_eq!(found("abcdabcdabcdabc"), Some((4, vec![0, 4, 8, 12])), "three quarters are enough");
        assert_eq!(found("abcdabcdabcdab"), Some((4, vec![0, 4, 8])), "a half is not");
        assert_eq!(found("ababab-ababab-"), Some((2, vec![0, 2, 4, 7, 9, 11])), "stretches on both sides");
        // The outer loop is longer than any of its inner ones.
        assert_eq!(found("iaaaaabiaaaaabiaaaaabend"), Some((7, vec![0, 7, 14])));
        // The elements before look like the end of an iteration. This moves all beginnings but not their number.
        assert_eq!(found("cabcabcabcx"), Some((3, vec![0, 3, 6])));
    }

    /// Returns the length of the longest stretch by trying all periods and places.
    fn longest_of_all(sequence: &[u64]) -> Option<usize> {
        let length_from = |period: usize, start: usize| {
            let equal = (start + period..sequence.len()).take_while(|&at| sequence[at] == sequence[at - period]);
            (equal.count() + period, period)
        };
        let all = (1..=sequence.len() / 3)
            .flat_map(|period| (0..=sequence.len() - period).map(move |start| length_from(period, start)));
        all.filter(|(length, period)| *length >= 3 * period).map(|(length, _)| length).max()
    }

    /// Returns the stretches of a period by trying all places.
    fn stretches_of_all(sequence: &[u64], cycle: &[u64]) -> Vec<Range<usize>> {
        let mut stretches = Vec::new();
        let mut start = 0;
        while start < sequence.len() {
            let same = |(at, element): &(usize, &u64)| cycle[at % cycle.len()] == **element;
            let length = sequence[start..].iter().enumerate().take_while(same).count();
            if 4 * length >= 3 * cycle.len() {
                stretches.push(start..start + length);
                start += length;
            } else {
                start += 1;
            }
        }
        stretches
    }

    /// Draws sequences that repeat words of few letters, so that periods contain shorter periods.
    fn sequences() -> impl Strategy<Value = Vec<u64>> {
        let word = prop::collection::vec(0u64..3, 0..8);
        let part = (word, 1usize..7).prop_map(|(word, times)| word.repeat(times));
        let twice = (prop::collection::vec(part, 0..4), 1usize..5);
        twice.prop_map(|(parts, times)| parts.concat().repeat(times))
    }

    proptest! {
        #[test]
        fn agrees_with_exhaustive_search(sequence in sequences()) {
            let found = longest(&sequence);
            prop_assert_eq!(found.as_ref().map(|(stretch, _)| stretch.len()), longest_of_all(&sequence));
            if let Some((stretch, period)) = found {
                prop_assert!(stretch.clone().skip(period).all(|at| sequence[at] == sequence[at - period]));
                let cycle = &sequence[stretch.start..stretch.start + period];
                prop_assert!((1..period).all(|by| [&cycle[by..], &cycle[..by]].concat() != cycle), "{period}");
                prop_assert_eq!(find(&sequence).unwrap().stretches, stretches_of_all(&sequence, cycle));
            }
        }
    }
}
