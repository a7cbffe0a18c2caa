//! Finds what a sequence repeats over and over: the calls of an iterative program, for example.
//!
//! The longest stretch that consists of one period again and again tells what is repeated. It begins and ends anywhere,
//! so that what comes before it (set-up) and after it (verification) does not matter. Other stretches of the same are
//! then looked for on both sides, since many programs do something else every so many iterations.
//!
//! How the longest is found: the windows of a length are named, equal ones alike, and each is compared with the last
//! equal one before it. Windows of at least a period that lie in a stretch find their equals exactly a period before
//! (the turns of the shortest period all differ), so a run of windows with one and the same distance is a stretch. The
//! windows double in length until they are too long for a period that comes three times; all takes O(n log n).

use std::ops::Range;

use rustc_hash::FxHashMap;

/// How often a period must come in a row to be seen.
const LEAST_TIMES: usize = 3;

/// What a sequence repeats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Periodic {
    /// The length of what is repeated.
    pub period: usize,
    /// Where it comes again and again, in order, each at least three quarters of a period.
    pub stretches: Vec<Range<usize>>,
}

impl Periodic {
    /// Returns how often it comes; the last time of a stretch may lack up to a quarter.
    pub fn times(&self) -> usize {
        let of = |stretch: &Range<usize>| (stretch.len() - known_by(self.period)) / self.period + 1;
        self.stretches.iter().map(of).sum()
    }

    /// Returns whether it begins once more at a place.
    pub fn begins_at(&self, place: usize) -> bool {
        let later = self.stretches.partition_point(|stretch| stretch.start <= place);
        let Some(stretch) = later.checked_sub(1).map(|last| &self.stretches[last]) else { return false };
        (place - stretch.start).is_multiple_of(self.period) && place + known_by(self.period) <= stretch.end
    }
}

/// Finds the longest stretch of at least three periods, and all others of the same.
pub fn find(sequence: &[u64]) -> Option<Periodic> {
    let (longest, period) = longest(sequence)?;
    let cycle = &sequence[longest.start..longest.start + period];
    let mut stretches = Vec::new();
    let mut from = 0;
    let head = Head::new(&cycle[..known_by(period)]);
    while let Some(start) = head.find_in(sequence, from) {
        let same = |(at, element): &(usize, &u64)| cycle[at % period] == **element;
        let length = sequence[start..].iter().enumerate().take_while(same).count();
        from = start + length;
        stretches.push(start..from);
    }
    Some(Periodic { period, stretches })
}

/// How much of a period is known as one.
fn known_by(period: usize) -> usize {
    (3 * period).div_ceil(4)
}

/// Returns the longest stretch of at least three periods, and its shortest period; the first of equal ones.
fn longest(sequence: &[u64]) -> Option<(Range<usize>, usize)> {
    let mut names = name(sequence.iter().copied());
    let mut window = 1;
    let mut longest: Option<(Range<usize>, usize)> = None;
    // A period has no more than a third of the sequence, and needs windows of less than twice its length.
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

/// Numbers values in the order in which they first come.
fn name(values: impl Iterator<Item = u64>) -> Vec<u32> {
    let mut names = FxHashMap::default();
    values
        .map(|value| {
            let next = names.len() as u32;
            *names.entry(value).or_insert(next)
        })
        .collect()
}

/// Returns `visit` the stretches that windows of a length show, and their periods, from the names of the windows.
fn each_stretch(names: &[u32], window: usize, mut visit: impl FnMut(Range<usize>, usize)) {
    const NEVER: usize = usize::MAX;
    let mut last = vec![NEVER; names.len()];
    // The first window of the run that goes on, and how far its equal lies before it.
    let mut run: Option<(usize, usize)> = None;
    for at in 0..=names.len() {
        let before = names.get(at).map_or(NEVER, |&name| std::mem::replace(&mut last[name as usize], at));
        let distance = (before != NEVER).then(|| at - before);
        if run.map(|(_, distance)| distance) != distance {
            if let Some((first, period)) = run {
                visit(first - period..at + window - 1, period);
            }
            run = distance.map(|distance| (at, distance));
        }
    }
}

/// What a period begins with, prepared for the search by Knuth, Morris and Pratt.
struct Head<'a> {
    elements: &'a [u64],
    /// For each beginning of it, the length of the longest shorter one that it ends with.
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

    /// Returns how much of it ends at an element, if so much ended at the one before.
    fn extend(&self, mut matched: usize, element: u64) -> usize {
        while self.elements[matched] != element {
            if matched == 0 {
                return 0;
            }
            matched = self.borders[matched - 1];
        }
        matched + 1
    }

    /// Returns where it comes first from a place on.
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
        Some((periodic.period, begins))
    }

    #[test]
    fn sequences_by_hand() {
        assert_eq!(found(""), None);
        assert_eq!(found("abcdefg"), None);
        assert_eq!(found("abab"), None, "twice is no habit");
        assert_eq!(found("aaa"), Some((1, vec![0, 1, 2])));
        assert_eq!(found("xyabcabcabcz"), Some((3, vec![2, 5, 8])));
        assert_eq!(found("abcdabcdabcdabc"), Some((4, vec![0, 4, 8, 12])), "three quarters are enough");
        assert_eq!(found("abcdabcdabcdab"), Some((4, vec![0, 4, 8])), "a half is not");
        assert_eq!(found("ababab-ababab-"), Some((2, vec![0, 2, 4, 7, 9, 11])), "the same on both sides");
        // The outer loop is longer than any of its inner ones.
        assert_eq!(found("iaaaaabiaaaaabiaaaaabend"), Some((7, vec![0, 7, 14])));
        // What comes before looks like the end of an iteration, which moves all begins, not their number.
        assert_eq!(found("cabcabcabcx"), Some((3, vec![0, 3, 6])));
    }

    /// The longest stretch of at least three periods, of all periods and places.
    fn longest_of_all(sequence: &[u64]) -> Option<usize> {
        let length_from = |period: usize, start: usize| {
            let equal = (start + period..sequence.len()).take_while(|&at| sequence[at] == sequence[at - period]);
            (equal.count() + period, period)
        };
        let all = (1..=sequence.len() / 3)
            .flat_map(|period| (0..=sequence.len() - period).map(move |start| length_from(period, start)));
        all.filter(|(length, period)| *length >= 3 * period).map(|(length, _)| length).max()
    }

    /// The stretches of a period, found by looking everywhere.
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

    /// Sequences that repeat words of few letters, so that there are periods within periods.
    fn sequences() -> impl Strategy<Value = Vec<u64>> {
        let word = prop::collection::vec(0u64..3, 0..8);
        let part = (word, 1usize..7).prop_map(|(word, times)| word.repeat(times));
        let twice = (prop::collection::vec(part, 0..4), 1usize..5);
        twice.prop_map(|(parts, times)| parts.concat().repeat(times))
    }

    proptest! {
        #[test]
        fn equals_looking_everywhere(sequence in sequences()) {
            let found = longest(&sequence);
            prop_assert_eq!(found.as_ref().map(|(stretch, _)| stretch.len()), longest_of_all(&sequence));
            if let Some((stretch, period)) = found {
                prop_assert!(stretch.clone().skip(period).all(|at| sequence[at] == sequence[at - period]));
                let cycle = &sequence[stretch.start..stretch.start + period];
                prop_assert!((1..period).all(|turn| [&cycle[turn..], &cycle[..turn]].concat() != cycle), "{period}");
                prop_assert_eq!(find(&sequence).unwrap().stretches, stretches_of_all(&sequence, cycle));
            }
        }
    }
}
