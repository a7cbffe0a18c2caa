//! The kept rows of `docs/data`, judged by what the columns say of themselves: `relation`, `theirs`, `tolerance` and
//! `trivial` must decide each verdict, and a number that is moved past its tolerance must change it.

use std::fs::File;
use std::path::Path;

use drowse_tables::schema::{REPRODUCTION, reproduction as columns};
use drowse_tables::{Row, csv};

const KEPT: [&str; 5] = ["quick", "torus", "perfbound", "thin_trees", "runtime"];

/// A little more than a tolerance, as a share of what it is added to, or alone.
const LITTLE: f64 = 1e-6;

/// A number that is compared.
struct Compared<'a> {
    relation: &'a str,
    theirs: f64,
    tolerance: Option<f64>,
}

impl Compared<'_> {
    /// Judges a number as the reference of columns says.
    fn accepts(&self, ours: f64) -> bool {
        match self.relation {
            "<" => ours < self.theirs,
            ">" => ours > self.theirs,
            // What arithmetic adds to a tolerance of 0.
            _ => (ours - self.theirs).abs() <= self.tolerance.unwrap() + 1e-9 * self.theirs.abs(),
        }
    }

    /// Moves a number to the other side of what is accepted: an accepted one out, by the tolerance and a little; any
    /// other one in, to theirs.
    fn moved(&self, ours: f64) -> f64 {
        let little = LITTLE * self.theirs.abs().max(1.0);
        let (inside, outside) = match self.relation {
            "<" => (self.theirs - little, self.theirs + little),
            ">" => (self.theirs + little, self.theirs - little),
            _ => (self.theirs, ours + (self.tolerance.unwrap() + little).copysign(ours - self.theirs)),
        };
        if self.accepts(ours) { outside } else { inside }
    }
}

fn kept(name: &str) -> Vec<Row> {
    let file = format!("{}/../../docs/data/{name}_reproduction.csv", env!("CARGO_MANIFEST_DIR"));
    csv::read(&REPRODUCTION, File::open(Path::new(&file)).unwrap()).unwrap()
}

/// What the reason says of a number that a trivial answer meets, too.
const ONLY_SHOWN: &str = "; only shown, as this would be accepted, too: ";

/// Returns the numbers of "an idle network: 0.464; ports always on: 0.714".
fn answers(trivial: &str) -> Vec<f64> {
    trivial.split("; ").filter_map(|answer| answer.rsplit_once(": ")?.1.parse().ok()).collect()
}

#[test]
fn the_verdict_on_every_kept_number_can_change() {
    let (mut accepted, mut differ) = (0, 0);
    for row in KEPT.into_iter().flat_map(kept) {
        let name =
            format!("{}, {}, {}", row.text(columns::PAPER), row.text(columns::PLACE), row.text(columns::QUANTITY));
        let (verdict, trivial) = (row.text(columns::VERDICT), row.text(columns::TRIVIAL));
        let reason = row.text(columns::REASON);
        let (theirs, ours) = (row.number(columns::THEIRS), row.number(columns::OURS));
        let relation = row.text(columns::RELATION);
        let Some(theirs) = theirs else {
            let nothing = if ours.is_some() { "" } else { "not run" };
            assert_eq!((verdict.as_str(), relation.as_str()), (nothing, ""), "{name}: nothing to compare with");
            continue;
        };
        let answers = answers(&trivial);
        assert!(!answers.is_empty(), "{name}: what would be if nothing worked? {trivial}");
        let compared = Compared { relation: &relation, theirs, tolerance: row.number(columns::TOLERANCE) };
        let blind = answers.iter().find(|&&answer| compared.accepts(answer));
        let is_shown = reason.contains(ONLY_SHOWN);
        assert_eq!(blind.is_some(), is_shown, "{name}: {blind:?}, an answer without a model, is accepted, or none is");
        let Some(ours) = ours else {
            assert_eq!(verdict, "not run", "{name}");
            continue;
        };
        let is_accepted = compared.accepts(ours);
        let verdicts: &[&str] = match (is_accepted, is_shown) {
            (true, false) => &["equal", "within", "set"],
            (true, true) => &["shown"],
            (false, _) => &["differs"],
        };
        assert!(verdicts.contains(&verdict.as_str()), "{name}: {verdict}");
        assert_ne!(compared.accepts(compared.moved(ours)), is_accepted, "{name}: moved, and the verdict stays");
        *(if is_accepted { &mut accepted } else { &mut differ }) += 1;
    }
    assert!(accepted > 100 && differ > 50, "{accepted} accepted, {differ} differ");
}

/// No tolerance is more than half of a number, nor than half of the way to a trivial answer, unless the row is only shown.
/// A range is told by its middle: that of INSEE's times is narrower, too.
#[test]
fn tolerances_keep_the_rule() {
    let rows = KEPT.into_iter().flat_map(kept);
    let mut compared = 0;
    for row in rows.filter(|row| row.text(columns::RELATION) == "=" && !row.text(columns::REASON).contains(ONLY_SHOWN))
    {
        let [theirs, tolerance] = [columns::THEIRS, columns::TOLERANCE].map(|column| row.number(column).unwrap());
        let way = answers(&row.text(columns::TRIVIAL)).into_iter().map(|answer| (answer - theirs).abs());
        let nearest = way.fold(f64::INFINITY, f64::min);
        // A unit of the last printed decimal is no choice of ours.
        let is_printed = ["equal", "set"].contains(&row.text(columns::VERDICT).as_str())
            || row.text(columns::REASON).contains("decimal");
        // Answers are told with three decimals.
        let is_kept = tolerance <= 0.5 * theirs.abs() + 1e-9 && tolerance <= 0.5 * nearest + 1e-3;
        assert!(is_printed || is_kept, "{}, {}: {tolerance}", row.text(columns::PLACE), row.text(columns::QUANTITY));
        compared += 1;
    }
    assert!(compared > 300, "{compared}");
}

/// What was chosen by a number is marked: Table III of Navaridas et al. 2010 hangs on the order of all-to-all, the sizes
/// of Totoni et al. 2014 were found by search, and two programs of Saravanan and Carpenter 2018 by Fig. 4.
#[test]
fn fitted_rows_are_marked() {
    let of_perfbound = ["Fig. 4, NAMD", "Fig. 4, GROMACS", ": Fig. 6, BT"];
    let perfbound = kept("perfbound");
    let fitted = perfbound.iter().filter(|row| row.get(columns::FITTED).is_some());
    let places: Vec<String> = fitted.map(|row| row.text(columns::PLACE)).collect();
    assert!(
        places.len() >= 2 && places.iter().all(|place| of_perfbound.iter().any(|end| place.ends_with(end))),
        "{places:?}"
    );
    for (name, count) in [("torus", 0), ("thin_trees", 21), ("runtime", 6)] {
        let fitted = kept(name).iter().filter(|row| row.get(columns::FITTED).is_some()).count();
        assert_eq!(fitted, count, "{name}");
    }
    let rows = kept("thin_trees");
    let table = rows.iter().filter(|row| row.text(columns::PLACE).starts_with("Table III, 8:"));
    let of_phi = table.filter(|row| !row.text(columns::QUANTITY).starts_with("cost "));
    assert!(of_phi.clone().count() == 20 && of_phi.clone().all(|row| row.get(columns::FITTED).is_some()));
    assert!(
        rows.iter().all(|row| !row.text(columns::PLACE).starts_with("INSEE") || row.get(columns::FITTED).is_none())
    );
}

/// What reasons end with that are shown without another run: squares of processes, a paper's formula, INSEE's rule for
/// busy outputs, between two of ours, links of a tenth of the bandwidth, and another row of a band.
const ARITHMETIC: [&str; 5] = [
    "a row of its own, it does not differ",
    "which are the limits themselves",
    "is 0.2 %, not 1 %",
    "by the other it is shorter",
    "as in the example of section 5, CG's is 19.5 %",
];

/// What a number that repeats another says of it.
const REPEATS: [&str; 2] = ["; it does not differ as traced: ", ": the same number, which differs as traced, too: "];

/// Of each number that differs the reason says so: nothing explains it, or a change that was run, whose number is there
/// and would be accepted, or the arithmetic of a paper; or it repeats a number as traced, which is met, or differs, too.
#[test]
fn every_difference_has_a_cause_or_is_unexplained() {
    let (mut explained, mut unexplained, mut follow) = (0, 0, 0);
    for rows in KEPT.map(kept) {
        let number = |paper: &str, place: &str, quantity: &str| {
            let is_it = |row: &&Row| {
                let names = [columns::PAPER, columns::PLACE, columns::QUANTITY].map(|column| row.text(column));
                names == [paper, place, quantity]
            };
            rows.iter().find(is_it).and_then(|row| row.number(columns::OURS))
        };
        for row in rows.iter().filter(|row| row.text(columns::VERDICT) == "differs") {
            let [paper, place, quantity, reason, relation] =
                [columns::PAPER, columns::PLACE, columns::QUANTITY, columns::REASON, columns::RELATION]
                    .map(|column| row.text(column));
            let of_change = |change: &str| {
                number(&paper, &format!("{change}: {place}"), &quantity)
                    .or_else(|| number(&paper, &place, &format!("{quantity}, {change}")))
                    .or_else(|| number(&paper, &place, &quantity.replace("uncorrected DynamicFastwake", change)))
                    .unwrap_or_else(|| panic!("{place}, {quantity}: \"{change}\" was not run"))
            };
            let theirs = row.number(columns::THEIRS).unwrap();
            if let Some((_, cause)) = reason.split_once("; it lies between \"") {
                let (names, told) = cause.split_once("\": ").unwrap();
                let [a, b] = <[&str; 2]>::try_from(names.split("\" and \"").collect::<Vec<_>>()).unwrap();
                let (x, y) = (of_change(a), of_change(b));
                assert_eq!(told, format!("{x:.4} and {y:.4}"));
                assert!(x.min(y) < theirs && theirs < x.max(y), "{place}, {quantity}: not between");
                explained += 1;
                continue;
            }
            if let Some(repeats) = REPEATS.iter().position(|repeats| reason.contains(repeats)) {
                let (_, traced) = place.split_once(": ").unwrap();
                let ours = number(&paper, traced, &quantity).unwrap();
                assert!(reason.ends_with(&format!(": {ours:.4}")), "{place}, {quantity}: {reason}");
                let compared = Compared { relation: &relation, theirs, tolerance: row.number(columns::TOLERANCE) };
                assert_eq!(compared.accepts(ours), repeats == 0, "{place}, {quantity}: {reason}");
                follow += 1;
                continue;
            }
            let Some((_, cause)) = reason.split_once("; it does not differ as \"") else {
                let by_arithmetic = ARITHMETIC.iter().any(|ending| reason.ends_with(ending));
                assert!(by_arithmetic || reason.ends_with("; unexplained"), "{place}, {quantity}: {reason}");
                unexplained += u32::from(!by_arithmetic);
                continue;
            };
            let (change, told) = cause.split_once("\": ").unwrap();
            let again = of_change(change);
            assert_eq!(told, format!("{again:.4}"));
            let compared = Compared { relation: &relation, theirs, tolerance: row.number(columns::TOLERANCE) };
            assert!(compared.accepts(again), "{place}, {quantity}: \"{change}\" differs, too");
            explained += 1;
        }
    }
    assert!(explained > 10, "{explained} explained, {unexplained} unexplained, {follow} follow from others");
}
