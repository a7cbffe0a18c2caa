//! NAMD, with PME and without, and ISAM.
//!
//! The paper names neither the sizes nor the inputs. Ours were chosen before anything was counted: 4,096 ranks, the only
//! size that it gives with any of these figures, and the machine of 9,600 nodes, on which its stencils' numbers come out.
//!
//! With PME NAMD uses every link of that machine's tori that a route can take by the rule for MG, so that what it uses is
//! what the rule leaves: all of six dimensions, and 65 % of ten. Neither the machine nor the rule was chosen by that.

use drowse_describe::usage::Options;
use drowse_run::error::RunError;

use super::machines::{CG, grid, percs, torus, usage};
use super::shares::{Links, digits, found, limit, own, unused, used};
use crate::comparison::{Comparison, Theirs};
use crate::trivial::Kind;

/// STMV on 4,096 ranks: its patches are halved along x, as NAMD does with few of them, so that each rank has one.
const STMV: &str = "kind = \"namd\", ranks = 4096, patches = [26, 13, 13]";
const STMV_TOLD: &str = "STMV on 4,096 ranks, 13 x 13 x 13 patches halved along x";
/// A patch on each of 307,200 ranks, as many as the stencils have.
const LARGE: &str = "kind = \"namd\", ranks = 307200, patches = [64, 64, 75]";
const LARGE_TOLD: &str = "64 x 64 x 75 patches, one on each of 307,200 ranks, 9,600 nodes";
/// ISAM on the same ranks.
const ISAM: &str = "{ kind = \"isam\", ranks = 4096 }";

/// Tori of 9,600 nodes: that of six dimensions, the first of which the paper sees savings, and its last.
const TORI: [&[u32]; 3] = [&[4, 4, 4, 5, 5, 6], &[2, 3, 4, 4, 4, 5, 5], &[5, 5, 3, 2, 2, 2, 2, 2, 2, 2]];

/// Points of PME's grid along each dimension: STMV has 216; they say how many pencils there are.
const GRIDS: [u32; 3] = [200, 216, 224];

/// What a difference of NAMD may come from.
pub const WITH_PME: &str = "with PME";

/// Returns the names of the large machines by the grid of PME: a band.
pub fn grids() -> [String; GRIDS.len()] {
    GRIDS.map(|points| format!("300 supernodes, PME grid of {points}"))
}

/// Returns NAMD on 4,096 ranks, with PME every so many time steps, or without (0).
pub fn stmv(pme: u32) -> String {
    format!("{{ {STMV}, pme = {pme} }}")
}

/// Returns NAMD on 307,200 ranks.
pub fn large(pme: u32) -> String {
    format!("{{ {LARGE}, pme = {pme} }}")
}

/// Compares the numbers of these programs; a quick reproduction leaves out the large machine.
pub fn compare(rows: &mut Vec<Comparison>, quick: bool) -> Result<(), RunError> {
    let with_pme = usage(&percs(4), &stmv(4), &[], &Options::default())?;
    let row = d_links("", unused(&with_pme, Links::D), STMV_TOLD);
    rows.push(digits(row, "23.09", Kind::Share));
    rows.push(own("Section 3.1, NAMD_PME", "links of PERCS unused", unused(&with_pme, Links::Channels), STMV_TOLD));
    let of_cg = unused(&usage(&percs(4), CG, &[], &Options::default())?, Links::Channels);
    let of_namd = unused(&with_pme, Links::Channels);
    let (ours, program) = if of_namd < of_cg { (of_namd, "NAMD with PME") } else { (of_cg, "NPB CG") };
    let row = least("", ours, &format!("ours is {program} on 4,096 ranks"));
    rows.push(digits(row, "4.4", Kind::Share));
    if !quick {
        with_grids(rows)?;
    }
    let on_percs = usage(&percs(4), &stmv(0), &[], &Options::default())?;
    rows.push(own("Section 3.1, NAMD", "links of PERCS used", used(&on_percs, Links::Channels), STMV_TOLD));
    let small = used(&torus(&[2, 2, 2, 2, 2, 4], &stmv(0))?, Links::Cables);
    let how = format!(
        "{STMV_TOLD}; 128 nodes as 2 x 2 x 2 x 2 x 2 x 4, counted as for MG, of which one cable in two is used"
    );
    rows.push(own("Section 3.1, NAMD", "links of the 6D torus of 128 nodes used", small, how));
    if !quick {
        on_tori(rows, "", 0)?;
        on_tori(rows, &format!(", {WITH_PME}"), 4)?;
    }
    let how = "by the paper ISAM \"does not use the network during execution\"";
    let (place, quantity) = ("Section 3.1, ISAM", "links of PERCS used, \"virtually unused\"");
    let ours = used(&usage(&percs(4), ISAM, &[], &Options::default())?, Links::Channels);
    rows.push(found(own(place, quantity, ours, how), (0.0, 0.0), Kind::Share));
    Ok(())
}

/// Makes the row of the D links that NAMD with PME leaves unused.
fn d_links(choice: &str, ours: f64, how: &str) -> Comparison {
    let how =
        format!("{how}; of the 12 D links of 4,096 ranks no count is the paper's share, so that it has counted more");
    own("Section 3.1, NAMD_PME", format!("D links of PERCS unused{choice}"), ours, how)
}

/// Makes the row of the least that a program leaves unused.
fn least(choice: &str, ours: f64, how: &str) -> Comparison {
    let how = format!("the least of all programs', which the paper does not name; {how}");
    own("Section 3.1", format!("links of PERCS unused, at least{choice}"), ours, how)
}

/// Counts both on 300 supernodes, by the grid of PME.
fn with_grids(rows: &mut Vec<Comparison>) -> Result<(), RunError> {
    for (points, name) in GRIDS.into_iter().zip(grids()) {
        let app = format!("{{ {LARGE}, pme = 4, grid = [{points}, {points}, {points}] }}");
        let row = usage(&percs(300), &app, &[], &Options::default())?;
        let choice = format!(", {name}");
        rows.push(d_links(&choice, unused(&row, Links::D), LARGE_TOLD));
        rows.push(least(&choice, unused(&row, Links::Channels), &format!("NAMD with PME, {LARGE_TOLD}")));
    }
    Ok(())
}

/// Compares tori of 9,600 nodes, without PME or with it every so many time steps.
fn on_tori(rows: &mut Vec<Comparison>, choice: &str, pme: u32) -> Result<(), RunError> {
    let place = "Section 3.1, NAMD";
    let how = || format!("{LARGE_TOLD}; the paper names neither size nor input");
    let mut curve = Vec::new();
    for dims in TORI {
        let one = usage(&grid(dims), &large(pme), &["switch.vcs={ escape = 2 }"], &Options::default())?;
        let ours = used(&one, Links::Cables);
        curve.push(ours);
        let quantity = format!("links of the {}D torus used", dims.len());
        rows.push(match dims.len() {
            6 => {
                let quantity = format!("{quantity}, \"all of the links\"{choice}");
                found(own(place, quantity, ours, how()), (100.0, 0.5), Kind::Share)
            }
            10 => digits(own(place, quantity + choice, ours, how()), "65", Kind::Share),
            _ => own(place, quantity + choice, ours, LARGE_TOLD),
        });
    }
    let quantity = format!("used on the 6D torus more than on the 7D torus, \"starting from 7D\"{choice}");
    let row = Comparison::own(place, quantity, "points", curve[0] - curve[1], "the rows above");
    rows.push(limit(row, Theirs::Above(0.0), Kind::Change));
    Ok(())
}
