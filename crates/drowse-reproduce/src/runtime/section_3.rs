//! Section 3: the shares of links that follow from the network and the application alone.

use drowse_describe::usage::Options;
use drowse_run::error::RunError;
use drowse_tables::Row;

use super::machines::{MG, MILC, STENCILS, percs, stencil, torus, usage};
use super::shares::{LINKS_OF_MACHINE, Links, OF_MACHINE, found, limit, own, unused, used};
use crate::comparison::{Comparison, Theirs};
use crate::trivial::Kind;

const MILC_RANKS: &str =
    "8 x 8 x 8 x 8 ranks, 32 to each of 128 nodes, all to 8 neighbours, without sums over all ranks";
const ON_PERCS: &str = "307,200 ranks on 300 supernodes; D link from i to j on hub j mod 32; each direction counted";
/// What was chosen by the numbers of the machine of 9,600 nodes: those that come out by it say nothing of it.
const SUPERNODES: &str = "300 supernodes, the grid of ranks, and the hub of each D link, by search";
const TORUS: &str = "the machine of 9,600 nodes as 20 x 20 x 24, and the grid of ranks, by search";
const ORDER: &str = "the order of the dimensions, 5 x 5 x 3 x 2^7, and the grid of ranks, by search";
const CABLES: &str = "two cables in dimensions of 2, of which one is used, by search";

const ON_TORUS: &str = "9,600 nodes as 20 x 20 x 24; a cable counts that is used in either direction";

/// Compares the numbers of the text and of Figures 3 to 9 that can be reproduced.
///
/// Returns what stencils use of PERCS.
pub fn compare(rows: &mut Vec<Comparison>) -> Result<[(&'static str, Row); 3], RunError> {
    milc(rows)?;
    let [plane, cube, four] = STENCILS.map(|(_, dims)| stencil(dims));
    let on_percs = |app: &str| usage(&percs(300), app, &[], &Options::default());
    let printed = |place, quantity, theirs, ours, how| {
        Comparison::printed(place, quantity, "%", theirs, ours, how).with_trivial(Kind::Share)
    };
    let (plane_percs, cube_percs, four_percs) = (on_percs(&plane)?, on_percs(&cube)?, on_percs(&four)?);
    let of_percs = used(&plane_percs, Links::Channels);
    rows.push(
        printed("Section 3.1, 2D-Stencil", "links of PERCS used", "11.91", of_percs, ON_PERCS).fitted(SUPERNODES),
    );
    let of_percs = used(&cube_percs, Links::Channels);
    rows.push(
        printed("Section 3.2, default mapping", "links of PERCS used", "16.51", of_percs, ON_PERCS).fitted(SUPERNODES),
    );
    let mut names = STENCILS.map(|(name, _)| name).into_iter();
    let stencils = [plane_percs, cube_percs, four_percs].map(|row| (names.next().unwrap_or_default(), row));
    for (name, row) in &stencils {
        let place = format!("Section 3.1, {name}");
        let row = own(place, "D links of PERCS used, \"only around 1 %\"", used(row, Links::D), ON_PERCS);
        rows.push(found(row, (1.0, 0.5), Kind::Share));
    }
    let machine = [20, 20, 24];
    let ours = unused(&torus(&machine, &plane)?, Links::Cables);
    rows.push(
        printed("Section 3.1, 2D-Stencil", "links of the 3D torus unused", "30.67", ours, ON_TORUS).fitted(TORUS),
    );
    let ours = unused(&torus(&machine, &cube)?, Links::Cables);
    rows.push(printed("Section 3.1, 3D-Stencil", "links of the 3D torus unused", "12", ours, ON_TORUS).fitted(TORUS));
    let place = "Section 3.1, 4D-Stencil";
    let on_3d = used(&torus(&machine, &four)?, Links::Cables);
    let row = own(place, "links of the 3D torus used, \"more than 80 %\"", on_3d, ON_TORUS);
    rows.push(limit(row, Theirs::Above(80.0), Kind::Share).shown());
    let how = "9,600 nodes as 5 x 5 x 3 x 2^7, two cables in dimensions of 2; other grids of ranks give 49 to 54 %";
    let on_10d = used(&torus(&[5, 5, 3, 2, 2, 2, 2, 2, 2, 2], &four)?, Links::Cables);
    rows.push(printed(place, "links of the 10D torus used", "53", on_10d, how).fitted(ORDER));
    let how = "\"only 53 % of the links of a 10D torus network, but more than 80 % links are used on a 3D torus\": 27 points more, \
               and none if all or none are used on both";
    let row = Comparison::own(place, "used on the 3D torus more than on the 10D torus", "points", on_3d - on_10d, how);
    rows.push(limit(row, Theirs::Above(27.0), Kind::Change));
    let how = "NPB MG on 4,096 ranks, 128 nodes as 2 x 2 x 2 x 2 x 2 x 4, two cables in dimensions of 2 of which one is used; this \
               rule was found by search";
    let ours = unused(&torus(&[2, 2, 2, 2, 2, 4], MG)?, Links::Cables);
    rows.push(printed("Section 3.1, MG", "links of the 6D torus unused", "47.92", ours, how).fitted(CABLES));
    Ok(stencils)
}

/// Compares the numbers of MILC in the text, and the share of the machine's power.
fn milc(rows: &mut Vec<Comparison>) -> Result<(), RunError> {
    let full = usage("{ kind = \"full\", switches = 128 }", MILC, &[], &Options::default())?;
    let of_percs = usage(&percs(4), MILC, &[], &Options::default())?;
    let place = "Section 3.1, MILC";
    let printed = |quantity, unit, theirs, ours| Comparison::printed(place, quantity, unit, theirs, ours, MILC_RANKS);
    let share = |quantity, theirs, ours| printed(quantity, "%", theirs, ours).with_trivial(Kind::Share);
    rows.push(share("links of the full network used", "3.93", used(&full, Links::Channels)));
    let unused = unused(&of_percs, Links::Channels);
    rows.push(share("links of PERCS unused", "81.51", unused));
    let d_links = Links::D.total(&of_percs);
    rows.push(printed("D links of PERCS, each direction", "channels", "12", d_links));
    rows.push(own(place, "D links of PERCS used, \"high usage\"", used(&of_percs, Links::D), MILC_RANKS));
    let how = "of unused links; links draw 65 % of a network that draws 30 % of the machine";
    let quantity = "power of the machine saved on PERCS";
    rows.push(found(own(place, quantity, unused * LINKS_OF_MACHINE, how), (16.0, 0.5), OF_MACHINE));
    Ok(())
}
