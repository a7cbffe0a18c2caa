//! Bisection against all places of a grid, with figures in closed form.

use super::cells::{Cells, Known, Place};
use super::judge::{Judged, Standing};

/// Searches a grid; returns the best place of each group, and how many places were judged.
fn search(
    spans: &[(u64, bool)],
    group: impl Fn(&Place) -> usize,
    judge: impl Fn(&Place) -> Option<Judged>,
) -> (Vec<Option<Place>>, usize) {
    search_within(0.0, spans, group, judge)
}

/// Searches a grid with a margin.
fn search_within(
    margin: f64,
    spans: &[(u64, bool)],
    group: impl Fn(&Place) -> usize,
    judge: impl Fn(&Place) -> Option<Judged>,
) -> (Vec<Option<Place>>, usize) {
    let (mut cells, mut known) = (Cells::cover(spans, &group), Known::new());
    loop {
        for place in cells.unknown(&known) {
            let judged = judge(&place);
            assert!(known.insert(place, judged).is_none(), "a place is judged once");
        }
        if !cells.halve(&known, |goal| goal + margin * goal.abs()) {
            break;
        }
    }
    (best(&known, &group), known.len())
}

/// Returns the best place of each group that keeps the condition, the first of several.
fn best(known: &Known, group: impl Fn(&Place) -> usize) -> Vec<Option<Place>> {
    let mut best: Vec<Option<(Standing, &Place)>> = Vec::new();
    for (place, judged) in known {
        let (Some(judged), group) = (judged, group(place)) else { continue };
        best.resize(best.len().max(group + 1), None);
        let candidate = (judged.standing(), place);
        if candidate.0.violation == 0.0 && best[group].is_none_or(|best| candidate < best) {
            best[group] = Some(candidate);
        }
    }
    best.into_iter().map(|best| best.map(|(_, place)| place.clone())).collect()
}

/// Judges all places of a grid.
fn all(spans: &[(u64, bool)], judge: impl Fn(&Place) -> Option<Judged>) -> Known {
    let extended = |places: Vec<Place>, &(count, _): &(u64, bool)| {
        places.iter().flat_map(|place| (0..count).map(|value| [place.as_slice(), &[value]].concat())).collect()
    };
    let places: Vec<Place> = spans.iter().fold(vec![Place::new()], extended);
    places.into_iter().map(|place| (place.clone(), judge(&place))).collect()
}

/// Judges a place that is not left out.
#[expect(clippy::unnecessary_wraps, reason = "what judges a place may leave it out")]
fn judged(goal: f64, slowdown: f64, bound: f64) -> Option<Judged> {
    let violation = (slowdown > bound).then_some(slowdown - bound);
    Some(Judged { goal, finished: true, doubt: violation.unwrap_or(0.0), violations: vec![violation] })
}

/// A longer timer costs energy and saves time: the answer is the shortest timer that keeps the bound, wherever it is.
#[test]
fn one_falling_figure_is_bisected() {
    for bound in 0..1_000_u32 {
        let slowdown = |place: &Place| 1_000.0 - place[0] as f64;
        let judge = |place: &Place| judged(place[0] as f64, slowdown(place), f64::from(bound) + 0.5);
        let (found, count) = search(&[(1_000, true)], |_| 0, judge);
        assert_eq!(
            found,
            [Some(vec![u64::from(1_000 - bound).min(999)])].map(|it| it.filter(|_| bound > 0)),
            "{bound}"
        );
        assert!(count <= 30, "{count} of 1000 for {bound}");
    }
}

/// A valley anywhere along a range.
#[test]
fn a_valley_is_found() {
    for least in 0..300_u64 {
        let judge = |place: &Place| judged((place[0] as f64 - least as f64).abs(), 0.0, 1.0);
        let (found, count) = search(&[(300, true)], |_| 0, judge);
        assert_eq!(found, [Some(vec![least])]);
        assert!(count <= 25, "{count} of 300 for {least}");
    }
}

/// A listed key and two ranges, each rising or falling with each: the answers are those of all places.
#[test]
fn two_ranges_and_a_list() {
    let spans = [(3, false), (40, true), (25, true)];
    for seed in 0..200_u64 {
        let share = |shift: u64| ((seed * 2_654_435_761) >> shift & 15) as f64 / 15.0;
        let figures = |place: &Place| {
            let [list, x, y] = [place[0] as f64, place[1] as f64 / 39.0, place[2] as f64 / 24.0];
            (
                share(2) * x + share(6) * y * y + share(4) * list,
                share(8) * (1.0 - x) + share(3) * (1.0 - y) + 0.1 * list,
            )
        };
        let judge = |place: &Place| judged(figures(place).0, figures(place).1, share(10));
        let by_list = |place: &Place| if seed % 2 == 0 { 0 } else { place[0] as usize };
        let (found, count) = search(&spans, by_list, judge);
        assert_eq!(found, best(&all(&spans, judge), by_list), "{seed}");
        assert!(count < 3_000 / 3, "{count} of 3000");
    }
}

/// Places that the sweep leaves out are passed by.
#[test]
fn places_that_are_left_out() {
    let spans = [(60, true), (2, false)];
    for hole in 0..60 {
        let judge = |place: &Place| {
            let is_left_out = place[0] >= hole && place[0] < hole + 9;
            let goal = place[0] as f64 + 0.5 * place[1] as f64;
            judged(goal, 60.0 - place[0] as f64, 33.0).filter(|_| !is_left_out)
        };
        assert_eq!(search(&spans, |_| 0, judge).0, best(&all(&spans, judge), |_| 0), "{hole}");
    }
}

/// A condition that no place keeps: what comes nearest is looked at, and nothing is found.
#[test]
fn a_condition_that_nothing_keeps() {
    let judge = |place: &Place| judged(1.0, (place[0] as f64 - 321.0).abs() + 1.0, 0.5);
    let (found, count) = search(&[(1_000, true)], |_| 0, judge);
    assert_eq!(found, [None]);
    assert!(count < 40, "{count}");
}

/// Only a valley between two values keeps the condition.
#[test]
fn a_condition_that_few_places_keep() {
    for least in 0..500_u64 {
        let judge = |place: &Place| judged(1.0, (place[0] as f64 - least as f64).abs(), 0.5);
        assert_eq!(search(&[(500, true)], |_| 0, judge).0, [Some(vec![least])]);
    }
}

/// A figure that falls and rises, and is up to 1 % off from value to value: a margin of 2 % finds the least, since no
/// value is more than 2 % below those beside its cell.
#[test]
fn a_margin_bears_jitter() {
    for seed in 0..100_u64 {
        let off = |value: u64| ((value * 2_654_435_761 + seed * 40_503) >> 7 & 255) as f64 / 255.0 * 0.01;
        let judge = |place: &Place| {
            let valley = 1.0 + (place[0] as f64 - 3.0 * seed as f64).abs() / 300.0;
            judged(valley * (1.0 + off(place[0])), 0.0, 1.0)
        };
        let spans = [(300, true)];
        let (found, count) = search_within(0.02, &spans, |_| 0, judge);
        assert_eq!(found, best(&all(&spans, judge), |_| 0), "{seed}");
        assert!(count < 60, "{count} of 300");
    }
}
