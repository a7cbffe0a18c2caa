//! Figures 5 and 6: which of the links of PERCS are used, local ones within a drawer (LL), between drawers (LR), and
//! those between supernodes (D).
//!
//! Both figures have no numbers but those of the text, which are compared where their programs are.

use drowse_describe::usage::Options;
use drowse_run::error::RunError;
use drowse_tables::Row;

use super::machines::{CG, MG, MILC, percs, usage};
use super::molecules::{large, stmv};
use super::shares::{Links, limit, own, used};
use crate::comparison::{Comparison, Theirs};
use crate::trivial::Kind;

/// The links, by their name.
const LINKS: [(&str, Links); 3] = [("LL", Links::LL), ("LR", Links::LR), ("D", Links::D)];

/// What is used of each kind, in percent.
type Shares = [f64; 3];

/// What a difference may come from: NAMD is as large as the stencils are.
pub const LARGE_NAMD: &str = "NAMD on 300 supernodes";

/// Compares Fig. 5, whose programs are counted, and Fig. 6, whose stencils have been; a quick reproduction leaves out the
/// large NAMD.
pub fn compare(rows: &mut Vec<Comparison>, stencils: &[(&str, Row)], quick: bool) -> Result<(), RunError> {
    let programs = [
        ("NAMD_PME", stmv(4)),
        ("NAMD", stmv(0)),
        ("MILC", MILC.to_owned()),
        ("CG", CG.to_owned()),
        ("MG", MG.to_owned()),
    ];
    let mut all = Vec::new();
    for (name, app) in &programs {
        let counted = usage(&percs(4), app, &[], &Options::default())?;
        all.push((format!("Fig. 5, {name}"), shares(&counted)));
    }
    all.extend(stencils.iter().map(|(name, counted)| (format!("Fig. 6, {name}"), shares(counted))));
    for (place, shares) in &all {
        let how = if place.starts_with("Fig. 5") {
            "4,096 ranks on 4 supernodes; each direction counted"
        } else {
            "307,200 ranks on 300 supernodes; each direction counted"
        };
        for ((name, _), share) in LINKS.iter().zip(shares) {
            rows.push(own(place, format!("{name} links of PERCS used"), *share, how));
        }
    }
    for name in ["MILC", "CG"] {
        let of = all.iter().find(|(place, _)| place.ends_with(&format!(", {name}"))).map(|(_, shares)| shares);
        rows.extend(of.map(|shares| exception(name, shares)));
    }
    rows.push(usually(&all));
    if !quick {
        for (entry, pme) in all.iter_mut().zip([4, 0]) {
            entry.1 = shares(&usage(&percs(300), &large(pme), &[], &Options::default())?);
        }
        let row = usually(&all);
        let quantity = format!("{}, {LARGE_NAMD}", row.quantity);
        rows.push(Comparison::own(row.place, quantity, row.unit, row.ours.unwrap_or(f64::NAN), row.how));
    }
    Ok(())
}

fn shares(row: &Row) -> Shares {
    LINKS.map(|(_, links)| used(row, links))
}

/// Returns by how much more D links are used than the local ones that are used most.
fn more_d([within, between, global]: Shares) -> f64 {
    global - within.max(between)
}

/// Compares a program of which the paper says that it uses many D links.
fn exception(name: &str, shares: &Shares) -> Comparison {
    let how = "\"MILC shows high usage of D-links\"; \"CG is again an exception and uses more of the D-links\"; all of them, or \
               none, are as many";
    let quantity = "D links used more than LL and LR links";
    let row = Comparison::own(format!("Fig. 5, {name}"), quantity, "points", more_d(*shares), how);
    limit(row, Theirs::Above(0.0), Kind::Change)
}

/// Compares how many programs use less of the D links than of either of the local ones.
fn usually(all: &[(String, Shares)]) -> Comparison {
    let less: Vec<&str> = all.iter().filter(|(_, shares)| uses_less(*shares)).map(|(place, _)| &**place).collect();
    let how = format!(
        "\"D-links are usually less utilized than the local ones\": more than half of {} programs; here {}",
        all.len(),
        less.join("; ")
    );
    let share = less.len() as f64 / all.len() as f64;
    let row = Comparison::own("Fig. 5 and 6", "share of programs that use less of the D links", "1", share, how);
    let trivial = Kind::Share.trivial().becomes(|used| f64::from(uses_less([used; 3])));
    Comparison { theirs: Theirs::Above(0.5), ..row.with_trivial(trivial) }
}

fn uses_less([within, between, global]: Shares) -> bool {
    global < within.min(between)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All-to-all would use all of each, and nothing sent none: neither is less, and neither is more.
    #[test]
    fn trivial_answers_are_not_accepted() {
        let place = |name: &str, shares| (name.to_owned(), shares);
        let row =
            usually(&[place("a", [40.0, 20.0, 1.0]), place("b", [40.0, 20.0, 30.0]), place("c", [5.0, 4.0, 3.0])]);
        assert!((row.ours.unwrap() - 2.0 / 3.0).abs() < 1e-12);
        assert!(!row.differs() && !row.is_blind() && !row.is_rigid());
        assert!(row.how.ends_with("here a; c"));
        for shares in [[0.0; 3], [100.0; 3]] {
            assert!(exception("CG", &shares).differs());
            assert!(usually(&[place("all", shares)]).differs());
        }
        assert!((more_d([40.0, 30.0, 66.0]) - 26.0).abs() < 1e-12);
    }
}
