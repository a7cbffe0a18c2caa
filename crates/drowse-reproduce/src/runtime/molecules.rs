//! NAMD, with PME and without, and ISAM.
//!
//! The paper names neither the sizes nor the inputs. Ours were chosen before anything was counted: 4,096 ranks, the only
//! size that it gives with any of these figures, and the machine of 9,600 nodes, on which its stencils' numbers come out.

use drowse_describe::usage::Options;
use drowse_run::error::RunError;

use super::machines::{grid, percs, torus, usage};
use super::shares::{Links, digits, found, own, unused, used};
use crate::comparison::Comparison;
use crate::trivial::Kind;

/// STMV on 4,096 ranks: its patches are halved along x, as NAMD does with few of them, so that each rank has one.
const STMV: &str = "kind = \"namd\", ranks = 4096, patches = [26, 13, 13]";
const STMV_TOLD: &str = "STMV on 4,096 ranks, 13 x 13 x 13 patches halved along x";
/// A patch on each of 307,200 ranks, as many as the stencils have.
const LARGE: &str = "{ kind = \"namd\", ranks = 307200, patches = [64, 64, 75], pme = 0 }";
const LARGE_TOLD: &str = "64 x 64 x 75 patches, one on each of 307,200 ranks, 9,600 nodes";
/// ISAM on the same ranks.
const ISAM: &str = "{ kind = \"isam\", ranks = 4096 }";

/// Tori of 9,600 nodes: that of six dimensions, the first of which the paper sees savings, and its last.
const TORI: [&[u32]; 3] = [&[4, 4, 4, 5, 5, 6], &[2, 3, 4, 4, 4, 5, 5], &[5, 5, 3, 2, 2, 2, 2, 2, 2, 2]];

/// Returns NAMD on 4,096 ranks.
fn stmv(pme: u32) -> String {
    format!("{{ {STMV}, pme = {pme} }}")
}

/// Returns the percentage of the channels of PERCS that NAMD with PME leaves unused.
pub fn unused_with_pme() -> Result<f64, RunError> {
    Ok(unused(&usage(&percs(4), &stmv(4), &[], &Options::default())?, Links::Channels))
}

/// Compares the numbers of these programs; a quick reproduction leaves out the large machine.
pub fn compare(rows: &mut Vec<Comparison>, quick: bool) -> Result<(), RunError> {
    with_pme(rows)?;
    let on_percs = usage(&percs(4), &stmv(0), &[], &Options::default())?;
    rows.push(own("Section 3.1, NAMD", "links of PERCS used", used(&on_percs, Links::Channels), STMV_TOLD));
    let small = used(&torus(&[2, 2, 2, 2, 2, 4], &stmv(0))?, Links::Cables);
    let how = format!(
        "{STMV_TOLD}; 128 nodes as 2 x 2 x 2 x 2 x 2 x 4, counted as for MG, of which one cable in two is used"
    );
    rows.push(own("Section 3.1, NAMD", "links of the 6D torus of 128 nodes used", small, how));
    if !quick {
        on_tori(rows)?;
    }
    let how = "by the paper ISAM \"does not use the network during execution\"";
    let (place, quantity) = ("Section 3.1, ISAM", "links of PERCS used, \"virtually unused\"");
    let ours = used(&usage(&percs(4), ISAM, &[], &Options::default())?, Links::Channels);
    rows.push(found(own(place, quantity, ours, how), (0.0, 0.0), Kind::Share));
    Ok(())
}

fn with_pme(rows: &mut Vec<Comparison>) -> Result<(), RunError> {
    let on_percs = usage(&percs(4), &stmv(4), &[], &Options::default())?;
    let place = "Section 3.1, NAMD_PME";
    let ours = unused(&on_percs, Links::D);
    let how =
        format!("{STMV_TOLD}; of its 12 D links no count is the paper's share, so that it has counted another size");
    rows.push(digits(own(place, "D links of PERCS unused", ours, how), "23.09", Kind::Share));
    rows.push(own(place, "links of PERCS unused", unused(&on_percs, Links::Channels), STMV_TOLD));
    Ok(())
}

/// Compares tori of 9,600 nodes.
fn on_tori(rows: &mut Vec<Comparison>) -> Result<(), RunError> {
    for dims in TORI {
        let one = usage(&grid(dims), LARGE, &["switch.vcs={ escape = 2 }"], &Options::default())?;
        let ours = used(&one, Links::Cables);
        let quantity = format!("links of the {}D torus used", dims.len());
        let place = "Section 3.1, NAMD";
        let how = format!("{LARGE_TOLD}; the paper names neither size nor input");
        rows.push(match dims.len() {
            6 => found(own(place, quantity + ", \"all of the links\"", ours, how), (100.0, 0.5), Kind::Share),
            10 => digits(own(place, quantity, ours, how), "65", Kind::Share),
            _ => own(place, quantity, ours, LARGE_TOLD),
        });
    }
    Ok(())
}
