//! Figures 7 and 8: tori of 3 to 10 dimensions.
//!
//! The paper prints no number in them but those of its text. A machine that has ten dimensions at 32 ranks to a node has
//! 1,024 nodes at least, or 32,768 ranks: MILC, CG and MG of Fig. 7 run on as many. Its stencils run on the 9,600 nodes on
//! which the text's numbers come out, and NAMD there, too (`molecules.rs`).

use drowse_run::error::RunError;

use super::machines::{STENCILS, stencil, torus};
use super::shares::{Links, limit, own, used};
use crate::comparison::{Comparison, Theirs};
use crate::trivial::Kind;

/// Tori of 9,600 nodes in 3 to 10 dimensions, sizes ascending; that number has ten prime factors.
const OF_9600: [&[u32]; 8] = [
    &[20, 20, 24],
    &[8, 10, 10, 12],
    &[5, 5, 6, 8, 8],
    &[4, 4, 4, 5, 5, 6],
    &[2, 3, 4, 4, 4, 5, 5],
    &[2, 2, 2, 3, 4, 4, 5, 5],
    &[2, 2, 2, 2, 2, 3, 4, 5, 5],
    &[2, 2, 2, 2, 2, 2, 2, 3, 5, 5],
];

/// Tori of 1,024 nodes in as many.
const OF_1024: [&[u32]; 8] = [
    &[8, 8, 16],
    &[4, 4, 8, 8],
    &[4, 4, 4, 4, 4],
    &[2, 2, 4, 4, 4, 4],
    &[2, 2, 2, 2, 4, 4, 4],
    &[2, 2, 2, 2, 2, 2, 4, 4],
    &[2, 2, 2, 2, 2, 2, 2, 2, 4],
    &[2, 2, 2, 2, 2, 2, 2, 2, 2, 2],
];

/// The programs of Fig. 7 that are known, on 32,768 ranks; classes only decide on sizes of messages.
const PROGRAMS: [(&str, &str); 3] = [
    ("MILC", "{ kind = \"milc\", dims = [16, 16, 16, 8] }"),
    ("CG", "{ kind = \"cg\", class = \"C\", ranks = 32768 }"),
    ("MG", "{ kind = \"mg\", class = \"C\", ranks = 32768 }"),
];

/// Compares both figures.
pub fn compare(rows: &mut Vec<Comparison>) -> Result<(), RunError> {
    for (name, app) in PROGRAMS {
        let how = "32,768 ranks on 1,024 nodes, sizes of dimensions ascending; counted as for MG on the 6D torus; the paper names \
                   no size, and fewer nodes have no ten dimensions";
        figure(rows, &format!("Fig. 7, {name}"), app, &OF_1024, how)?;
    }
    for (name, dims) in STENCILS {
        let how = "9,600 nodes, sizes of dimensions ascending; counted as for MG on the 6D torus";
        figure(rows, &format!("Fig. 8, {name}"), &stencil(dims), &OF_9600, how)?;
    }
    Ok(())
}

/// Compares the curve of a program: its ends. "As dimensionality of tori is increased, a smaller fraction of the links are
/// used": none at all, or all of them, would be as many at both.
fn figure(
    rows: &mut Vec<Comparison>,
    place: &str,
    app: &str,
    machines: &[&[u32]],
    how: &'static str,
) -> Result<(), RunError> {
    let mut curve = Vec::new();
    for dims in machines {
        curve.push(used(&torus(dims, app)?, Links::Cables));
        rows.push(own(place, format!("links of the {}D torus used", dims.len()), curve[curve.len() - 1], how));
    }
    let falls = curve.windows(2).filter(|pair| pair[1] < pair[0]).count();
    let fall = curve.first().zip(curve.last()).map_or(f64::NAN, |(first, last)| first - last);
    let quantity = "used on the 3D torus more than on the 10D torus, \"a smaller fraction\"";
    let how = format!(
        "both are rows; of {} steps from one number of dimensions to the next {falls} use less",
        curve.len() - 1
    );
    rows.push(limit(Comparison::own(place, quantity, "points", fall, how), Theirs::Above(0.0), Kind::Change));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tori have the nodes that they are said to have, and 3 to 10 dimensions.
    #[test]
    fn machines_by_their_dimensions() {
        for (nodes, machines) in [(9_600, OF_9600), (1_024, OF_1024)] {
            for (dims, machine) in (3..).zip(machines) {
                assert_eq!((machine.iter().product::<u32>(), machine.len()), (nodes, dims));
                assert!(machine.is_sorted());
            }
        }
    }

    /// A ring of ranks on 1,024 nodes, 32 to a node, so that each node sends to the next and the one before: on 8 x 8 x 16
    /// along x, and at its end along y, and at the end of that along z.
    #[test]
    fn a_curve_by_hand() {
        let app = "{ kind = \"stencil\", dims = [32768], periodic = true, bytes = \"8 KiB\" }";
        let mut rows = Vec::new();
        figure(&mut rows, "Fig. 7, ring", app, &OF_1024, "").unwrap();
        // Of 3,072 cables: all 1,024 along x, of which each line closes its ring by going on; then 128 along y and 16 along z,
        // and as many others on the way back, since x is turned first.
        assert!((rows[0].ours.unwrap() - 100.0 * (1_024.0 + 256.0 + 32.0) / 3_072.0).abs() < 1e-9);
        assert_eq!(rows.len(), 9);
        assert!(!rows[8].differs() && !rows[8].is_blind() && !rows[8].is_rigid());
    }
}
