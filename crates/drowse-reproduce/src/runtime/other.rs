//! Numbers of the paper whose programs, sizes or counts it does not give.

use drowse_describe::usage::Options;
use drowse_run::error::RunError;

use super::machines::{MG, STENCILS, percs, stencil, usage};
use super::shares::{Links, digits, found, own, unused, used};
use crate::comparison::Comparison;
use crate::trivial::Kind;

/// Compares numbers that differ, or whose setting is unknown.
pub fn compare(rows: &mut Vec<Comparison>, quick: bool) -> Result<(), RunError> {
    let on_percs = |supernodes, app: &str, more: &[&str]| usage(&percs(supernodes), app, more, &Options::default());
    let ours = unused(&on_percs(4, MG, &[])?, Links::Channels);
    let how = "the largest of all programs', which the paper does not name; ours is NPB MG on 4,096 ranks; tried: its other \
               sizes, of the rows below, all classes, which are alike, and coarse grids that reach no further than the next but \
               one rank, 82.91 %, 680 channels used where the paper has 679";
    rows.push(digits(own("Section 3.1", "links of PERCS unused, at most", ours, how), "82.94", Kind::Share));
    for (ranks, told) in [(1_024, "1,024"), (2_048, "2,048"), (8_192, "8,192")] {
        let app = format!("{{ kind = \"mg\", class = \"C\", ranks = {ranks} }}");
        let ours = unused(&on_percs(ranks / 1_024, &app, &[])?, Links::Channels);
        let quantity = format!("links of PERCS unused, at most, {told} ranks");
        rows.push(own("Section 3.1", quantity, ours, "NPB MG, a supernode for 1,024 ranks"));
    }
    if quick {
        return Ok(());
    }
    let cube = stencil(STENCILS[1].1);
    let direct = used(&on_percs(300, &cube, &[])?, Links::Channels);
    let trivial = || Kind::Share.trivial().also(direct, "ranks in order, direct routes");
    let random = on_percs(300, &cube, &["job.0.placement=\"random-nodes\""])?;
    let place = "Section 3.2, random mapping";
    let how = "3D-Stencil on 300 supernodes, the 32 ranks of a node together on a random node; tried: other seeds and a machine of \
               half the size, of the rows below, and each rank for itself; a node would have to send to 5.5 others, where it \
               sends to 5";
    rows.push(digits(own(place, "links of PERCS used", used(&random, Links::Channels), how), "33.18", trivial()));
    for seed in [2, 3] {
        let random = on_percs(300, &cube, &["job.0.placement=\"random-nodes\"", &format!("seed={seed}")])?;
        let quantity = format!("links of PERCS used, seed {seed}");
        rows.push(own(place, quantity, used(&random, Links::Channels), "the same on other random nodes"));
    }
    let half = on_percs(150, &stencil(&[64, 48, 50]), &["job.0.placement=\"random-nodes\""])?;
    let how = "64 x 48 x 50 ranks";
    rows.push(own(place, "links of PERCS used, 150 supernodes", used(&half, Links::Channels), how));
    let scattered = on_percs(300, &cube, &["job.0.placement=\"random\""])?;
    let how = "the same with each rank on a random core";
    rows.push(own(place, "links of PERCS used, by rank", used(&scattered, Links::Channels), how));
    let indirect = on_percs(300, &cube, &["network.routing=\"indirect\""])?;
    let how = "3D-Stencil on 300 supernodes, packets by random supernodes: \"all of the links of the network\"";
    let row = own("Section 3.2, indirect routing", "links of PERCS used", used(&indirect, Links::Channels), how);
    rows.push(found(row, (100.0, 0.1), trivial()));
    Ok(())
}
