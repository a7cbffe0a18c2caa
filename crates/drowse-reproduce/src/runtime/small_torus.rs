//! The 6D torus of 128 nodes: MILC, MG and CG of Fig. 3, and the ways in which its links may be counted.
//!
//! The paper does not say how many cables join two switches in a dimension of two, and whether a cable counts once or each
//! of its directions. The rule of all its tori here, two cables of which one is used, was found for MG's number. No rule
//! gives MG's and MILC's: each is a row, for all three programs.

use drowse_describe::usage::Options;
use drowse_run::error::RunError;

use super::machines::{CG, MG, MILC, grid, percs, torus, usage};
use super::molecules::stmv;
use super::shares::{LINKS_OF_MACHINE, Links, OF_MACHINE, digits, found, limit, own, used};
use crate::comparison::{Comparison, Theirs};
use crate::trivial::Kind;

/// 128 nodes.
const DIMS: [u32; 6] = [2, 2, 2, 2, 2, 4];
const DIMS_TOLD: &str = "128 nodes as 2 x 2 x 2 x 2 x 2 x 4";

/// Another way to count, by how its rows are named.
struct Rule {
    name: &'static str,
    has_one_cable: bool,
    links: Links,
}

/// The rule for MG's number, and the others.
const RULE: Rule = Rule { name: "", has_one_cable: false, links: Links::Cables };
const OTHERS: [Rule; 3] = [
    Rule { name: ", one cable", has_one_cable: true, ..RULE },
    Rule { name: ", by channels", links: Links::Channels, ..RULE },
    Rule { name: ", one cable, by channels", has_one_cable: true, links: Links::Channels },
];

/// A machine of as many ranks that gives MILC's number by one of these rules.
const FOUR_CORES: &str = "1,024 nodes of 4 ranks, one cable, by channels";
/// The torus with its dimensions in another order, and each direction counted.
const REORDERED: &str = "2 x 2 x 2 x 2 x 4 x 2, by channels";
const OTHER_ORDER: [u32; 6] = [2, 2, 2, 2, 4, 2];

/// What a difference may come from: another rule, or the order as well.
pub fn choices() -> [String; 4] {
    let [one_cable, channels, both] = OTHERS.map(|rule| rule.name.trim_start_matches(", ").to_owned());
    [one_cable, channels, both, REORDERED.to_owned()]
}

impl Rule {
    /// Returns the percentage of the links of a torus that a program uses.
    fn used(&self, dims: &[u32], app: &str, more: &[&str]) -> Result<f64, RunError> {
        let mut sets = vec!["switch.vcs={ escape = 2 }"];
        if self.has_one_cable {
            sets.push("network.rings_of_two=false");
        }
        sets.extend(more);
        Ok(used(&usage(&grid(dims), app, &sets, &Options::default())?, self.links))
    }
}

/// Compares the three programs.
pub fn compare(rows: &mut Vec<Comparison>) -> Result<(), RunError> {
    milc(rows)?;
    mg(rows)?;
    cg(rows)?;
    others(rows)
}

/// MILC, of which 80 % is printed.
fn milc(rows: &mut Vec<Comparison>) -> Result<(), RunError> {
    let ours = |rule: &Rule| rule.used(&DIMS, MILC, &[]);
    let place = "Section 3.1, MILC";
    let quantity = "links of the 6D torus used";
    let how = format!(
        "{DIMS_TOLD}, counted as for MG, whose number comes out; tried: the other rules of the rows below, and by search all 6D \
         tori of 128 to 256 nodes in every order, with ties up, to the nearer end and both ways, of which none gives both \
         numbers"
    );
    rows.push(digits(own(place, quantity, ours(&RULE)?, how), "80", Kind::Share));
    for rule in &OTHERS {
        rows.push(own(place, format!("{quantity}{}", rule.name), ours(rule)?, told(rule)));
    }
    let power = |rule: &Rule| {
        let unused = 100.0 - ours(rule)?;
        let how = format!(
            "of our unused links, {unused:.1} %, where the paper has 20 %; the same shares of power; {}",
            told(rule)
        );
        let quantity = format!("power of the machine saved on the 6D torus{}", rule.name);
        Ok::<_, RunError>(own(place, quantity, unused * LINKS_OF_MACHINE, how))
    };
    rows.push(found(power(&RULE)?, (4.0, 0.5), OF_MACHINE));
    rows.push(power(&OTHERS[2])?);
    let how = "as 2 x 4 x 2 x 4 x 4 x 4: the paper's number, found by search, but the full network of 3.93 % has 128 nodes, and \
               MG does not come out";
    rows.push(own(place, format!("{quantity}, {FOUR_CORES}"), of_four_cores(MILC)?, how));
    Ok(())
}

fn of_four_cores(app: &str) -> Result<f64, RunError> {
    OTHERS[2].used(&[2, 4, 2, 4, 4, 4], app, &["node.cores=4"])
}

/// MG, of which 47.92 % unused is printed, and compared with the rule that was found for it.
fn mg(rows: &mut Vec<Comparison>) -> Result<(), RunError> {
    let (place, quantity) = ("Section 3.1, MG", "links of the 6D torus used");
    for rule in &OTHERS {
        let how = format!("{}, where the paper has 52.08 %", told(rule));
        rows.push(own(place, format!("{quantity}{}", rule.name), rule.used(&DIMS, MG, &[])?, how));
    }
    let how = "as 2 x 4 x 2 x 4 x 4 x 4, where the paper has 52.08 %";
    rows.push(own(place, format!("{quantity}, {FOUR_CORES}"), of_four_cores(MG)?, how));
    Ok(())
}

fn told(rule: &Rule) -> String {
    let cables = if rule.has_one_cable { "one cable" } else { "two cables" };
    let links = if matches!(rule.links, Links::Cables) { "either direction" } else { "each direction" };
    format!("{DIMS_TOLD}, {cables} in dimensions of 2, {links} counted")
}

/// CG, which "uses a higher fraction of PERCS links" than of the torus's; if all are used, or none, it does not.
fn cg(rows: &mut Vec<Comparison>) -> Result<(), RunError> {
    let place = "Section 3.1, CG";
    let quantity = "links of PERCS used more than of the 6D torus";
    let on_percs = |supernodes, app| {
        Ok::<_, RunError>(used(&usage(&percs(supernodes), app, &[], &Options::default())?, Links::Channels))
    };
    let whole = on_percs(4, CG)?;
    let more = |name: &str, points: f64, how: String| {
        Comparison::own(place, format!("{quantity}{name}"), "points", points, how)
    };
    rows.push(own(place, "links of PERCS used", whole, "NPB CG on 4,096 ranks, 4 supernodes"));
    let on_torus = used(&torus(&DIMS, CG)?, Links::Cables);
    rows.push(own(place, "links of the 6D torus used", on_torus, format!("{DIMS_TOLD}, counted as for MG")));
    let how = "the rows above; \"an exception is CG that uses a higher fraction of PERCS links\"".to_owned();
    rows.push(limit(more("", whole - on_torus, how), Theirs::Above(0.0), Kind::Change));
    for rule in &OTHERS {
        rows.push(more(rule.name, whole - rule.used(&DIMS, CG, &[])?, told(rule)));
    }
    let points = whole - OTHERS[1].used(&OTHER_ORDER, CG, &[])?;
    let how =
        "the order of dimensions is not printed; MG by cables is the same in this order, and MILC 50 %".to_owned();
    rows.push(more(&format!(", {REORDERED}"), points, how));
    Ok(())
}

/// The other programs of Fig. 3: "for most applications, a larger fraction of 6D torus links", all but CG.
fn others(rows: &mut Vec<Comparison>) -> Result<(), RunError> {
    for (name, app) in [("MILC", MILC.to_owned()), ("MG", MG.to_owned()), ("NAMD", stmv(0)), ("NAMD_PME", stmv(4))] {
        let on_percs = used(&usage(&percs(4), &app, &[], &Options::default())?, Links::Channels);
        for rule in [&RULE, &OTHERS[0]] {
            let quantity = format!("links of the 6D torus used more than of PERCS{}", rule.name);
            let how = format!("4,096 ranks; {}", told(rule));
            let points = rule.used(&DIMS, &app, &[])? - on_percs;
            let row = Comparison::own(format!("Fig. 3, {name}"), quantity, "points", points, how);
            // The other rule shows what the rule does.
            rows.push(if rule.name.is_empty() { limit(row, Theirs::Above(0.0), Kind::Change) } else { row });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The paper's order is that of another order of dimensions; no row is met by all links, or none.
    #[test]
    fn the_order_of_cg_hangs_on_that_of_dimensions() {
        let mut rows = Vec::new();
        cg(&mut rows).unwrap();
        assert!(rows[2].differs());
        let meets: Vec<bool> = rows[2..].iter().map(|row| rows[2].theirs.meets(row.ours.unwrap())).collect();
        assert_eq!(meets, [false, false, false, false, true]);
        assert!(rows.iter().all(|row| !row.is_blind() && !row.is_rigid()));
    }

    /// A ring of nodes uses the same cables by both rules: of 6 x 128, or of 5 x 64 + 128. So it does channels, of twice as
    /// many.
    #[test]
    fn rules_by_hand() {
        let ring = "{ kind = \"stencil\", dims = [4096], periodic = true, bytes = \"8 KiB\" }";
        let used = |rule: &Rule| rule.used(&DIMS, ring, &[]).unwrap();
        let [one, channels, both] = OTHERS.each_ref().map(used);
        for (two, one) in [(used(&RULE), one), (channels, both)] {
            assert!((two * 768.0 - one * 448.0).abs() < 1e-6 && two > 1.0, "{two} {one}");
        }
        assert!(OTHERS.iter().all(|rule| told(rule).starts_with(DIMS_TOLD)));
    }
}
