//! Sections 5 and 6: the bound of savings, without and with a delay of switching, and the use of networks' capacity.

use drowse_core::model::units::Time;

use drowse_describe::usage::Options;
use drowse_run::error::RunError;
use drowse_tables::schema::usage as columns;

use super::machines::{CG, MG, MILC, grid, percs, stencil, usage};
use super::shares::{above, found, own};
use crate::comparison::Comparison;
use crate::trivial::{IDLE, ON, Trivial};

/// A stencil whose neighbours are the network's, messages of 2 MB over links of 1 GB/s.
const NETWORK: &str = "{ kind = \"torus\", dims = [4, 4, 4], routing = \"dimension-order\" }";
const LINKS: [&str; 4] =
    ["node.cores=1", "switch.vcs={ escape = 2 }", "link.bandwidth=\"1 GB/s\"", "job.0.app.bytes=\"2 MB\""];
const PERFECT: &str = "3D-Stencil on a 3D torus, neighbours on neighbours, 2 MB a message, 1 GB/s, iterations of 10 ms";

/// The applications of Fig. 10 that are known, of 4,096 ranks on 128 nodes; stencils with messages of 8 KiB.
fn applications() -> [(&'static str, String); 6] {
    [
        ("2D-Stencil", stencil(&[64, 64])),
        ("3D-Stencil", stencil(&[16, 16, 16])),
        ("4D-Stencil", stencil(&[8, 8, 8, 8])),
        ("MILC", MILC.to_owned()),
        ("CG", CG.to_owned()),
        ("MG", MG.to_owned()),
    ]
}

/// Compares Fig. 10: "Except CG on 6D Torus network, the applications utilize less than 10 % of the network." An idle network
/// does so, too, so that only CG on the torus can be compared.
pub fn capacity(rows: &mut Vec<Comparison>) -> Result<(), RunError> {
    let options = Options { time: Some(Time::from_us(30_000)), ..Options::default() };
    for (name, app) in applications() {
        for (network, keys, more) in [
            ("PERCS", percs(4), &[][..]),
            ("the 6D torus", grid(&[2, 2, 2, 2, 2, 4]), &["switch.vcs={ escape = 2 }"][..]),
        ] {
            let saved = usage(&keys, &app, more, &options)?.number(columns::SAVINGS_BOUND).unwrap_or(f64::NAN);
            let (place, used) = (format!("Fig. 10, {name}"), percent(1.0 - saved));
            let what = format!("capacity of {network} used");
            let how = "in iterations of 30 ms, as in section 6; a link of the torus carries 10 GB/s; that, and sizes, are ours";
            rows.push(if name == "CG" && network != "PERCS" {
                let slower =
                    format!("with links of 1 GB/s, as in the example of section 5, it is {:.1} %", 10.0 * used);
                above(place, what + ", more than 10 %", 10.0, used, how).with_cause(slower)
            } else {
                own(place, what + ", \"less than 10 %\"", used, how)
            });
        }
    }
    Ok(())
}

/// Compares the example of section 5, and its delay in section 6.
pub fn compare(rows: &mut Vec<Comparison>) -> Result<(), RunError> {
    let bound = |delay: Option<Time>| {
        let options = Options { time: Some(Time::from_us(10_000)), delay, ..Options::default() };
        let row = usage(NETWORK, &stencil(&[4, 4, 4]), &LINKS, &options)?;
        Ok::<_, RunError>(percent(row.number(columns::SAVINGS_BOUND).unwrap_or(f64::NAN)))
    };
    let whole = bound(None)?;
    let comparison = Comparison::printed("Section 5", "power of links saved at most, M", "%", "80", whole, PERFECT);
    let trivial = Trivial::answers(&[(0.0, ON), (100.0, IDLE)]);
    rows.push(comparison.with_trivial(trivial));
    let switched = |us: u64| Ok::<_, RunError>(whole - bound(Some(Time::from_us(us)))?);
    let ours = switched(10)?;
    let how = "a stencil that uses all links, in 10 ms";
    let row = found("Section 6", "overhead of a delay of 10 us", (1.0, 0.1), Some(percent(ours / 100.0)), how);
    rows.push(row.with_cause("2 p d / t of the paper's own formula, all links used, is 0.2 %, not 1 %"));
    let how = "the same with the 20 us of a call added to it: still below what the paper says for 10 us";
    let ours = switched(30)?;
    rows.push(own("Section 6", "overhead of a delay of 30 us", percent(ours / 100.0), how));
    Ok(())
}

/// Turns a share into a percentage without what sums of floats leave behind the ninth decimal.
fn percent(share: f64) -> f64 {
    (share * 1e11).round() / 1e9
}
