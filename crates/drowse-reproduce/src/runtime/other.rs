//! Numbers of the paper whose programs, sizes or counts it does not give, and its figures of tori.

use drowse_describe::usage::Options;
use drowse_run::error::RunError;

use super::machines::{CG, MG, MILC, STENCILS, grid, percs, stencil, torus, usage};
use super::molecules;
use super::shares::{Links, digits, found, own, unused, used};
use crate::comparison::Comparison;
use crate::trivial::Kind;

/// Tori of 9,600 nodes in 3 to 10 dimensions, sizes ascending; that number has ten prime factors.
const TORI: [&[u32]; 8] = [
    &[20, 20, 24],
    &[8, 10, 10, 12],
    &[5, 5, 6, 8, 8],
    &[4, 4, 4, 5, 5, 6],
    &[2, 3, 4, 4, 4, 5, 5],
    &[2, 2, 2, 3, 4, 4, 5, 5],
    &[2, 2, 2, 2, 2, 3, 4, 5, 5],
    &[2, 2, 2, 2, 2, 2, 2, 3, 5, 5],
];

const SMALL_TORUS: [u32; 6] = [2, 2, 2, 2, 2, 4];

/// Compares numbers that differ, or whose setting is unknown.
pub fn compare(rows: &mut Vec<Comparison>, quick: bool) -> Result<(), RunError> {
    let on_percs = |supernodes, app: &str, more: &[&str]| usage(&percs(supernodes), app, more, &Options::default());
    let ours = used(&torus(&SMALL_TORUS, MILC)?, Links::Cables);
    let how = "128 nodes as 2 x 2 x 2 x 2 x 2 x 4, counted as for MG, whose number comes out";
    rows.push(digits(own("Section 3.1, MILC", "links of the 6D torus used", ours, how), "80", Kind::Share));
    let one_cable = |app: &str| {
        let sets = ["network.rings_of_two=false", "switch.vcs={ escape = 2 }"];
        usage(&grid(&SMALL_TORUS), app, &sets, &Options::default()).map(|row| used(&row, Links::Cables))
    };
    let how = "the same with one cable in dimensions of 2: the paper's 80 % lies between the two";
    rows.push(own("Section 3.1, MILC", "links of the 6D torus used, one cable", one_cable(MILC)?, how));
    let how = "the same with one cable in dimensions of 2, where the paper has 47.92 % unused";
    rows.push(own("Section 3.1, MG", "links of the 6D torus used, one cable", one_cable(MG)?, how));
    let ours = unused(&on_percs(4, MG, &[])?, Links::Channels);
    let how = "the largest of all programs', which the paper does not name; ours is NPB MG on 4,096 ranks, whose share falls \
               with its size";
    rows.push(digits(own("Section 3.1", "links of PERCS unused, at most", ours, how), "82.94", Kind::Share));
    let of_cg = unused(&on_percs(4, CG, &[])?, Links::Channels);
    let of_namd = molecules::unused_with_pme()?;
    let (ours, least) = if of_namd < of_cg { (of_namd, "NAMD with PME") } else { (of_cg, "NPB CG") };
    let how = format!("the least of all programs', which the paper does not name; ours is {least} on 4,096 ranks");
    rows.push(digits(own("Section 3.1", "links of PERCS unused, at least", ours, how), "4.4", Kind::Share));
    rows.push(own("Section 3.1, CG", "links of PERCS used", 100.0 - of_cg, "NPB CG on 4,096 ranks, 4 supernodes"));
    let ours = used(&torus(&SMALL_TORUS, CG)?, Links::Cables);
    let how = "the same on 128 nodes as 2 x 2 x 2 x 2 x 2 x 4: more than of PERCS, where the paper has it the other way round";
    rows.push(own("Section 3.1, CG", "links of the 6D torus used", ours, how));
    if quick {
        return Ok(());
    }
    let cube = stencil(STENCILS[1].1);
    let direct = used(&on_percs(300, &cube, &[])?, Links::Channels);
    let trivial = || Kind::Share.trivial().also(direct, "ranks in order, direct routes");
    let random = on_percs(300, &cube, &["job.0.placement=\"random-nodes\""])?;
    let how = "3D-Stencil on 300 supernodes, the 32 ranks of a node together on a random node";
    let row = own("Section 3.2, random mapping", "links of PERCS used", used(&random, Links::Channels), how);
    rows.push(digits(row, "33.18", trivial()));
    let scattered = on_percs(300, &cube, &["job.0.placement=\"random\""])?;
    let how = "the same with each rank on a random core";
    rows.push(own(
        "Section 3.2, random mapping",
        "links of PERCS used, by rank",
        used(&scattered, Links::Channels),
        how,
    ));
    let indirect = on_percs(300, &cube, &["network.routing=\"indirect\""])?;
    let how = "3D-Stencil on 300 supernodes, packets by random supernodes: \"all of the links of the network\"";
    let row = own("Section 3.2, indirect routing", "links of PERCS used", used(&indirect, Links::Channels), how);
    rows.push(found(row, (100.0, 0.1), trivial()));
    Ok(())
}

/// Returns the numbers of Figures 7 and 8: tori of 3 to 10 dimensions.
pub fn tori(rows: &mut Vec<Comparison>) -> Result<(), RunError> {
    let how = "9,600 nodes, sizes of dimensions ascending; counted as for MG on the 6D torus";
    for (name, dims) in STENCILS {
        for machine in TORI {
            let ours = used(&torus(machine, &stencil(dims))?, Links::Cables);
            let quantity = format!("links of the {}D torus used", machine.len());
            rows.push(own(format!("Fig. 8, {name}"), quantity, ours, how));
        }
    }
    Ok(())
}
