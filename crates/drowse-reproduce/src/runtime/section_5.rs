//! Sections 5 and 6: the bound of savings, without and with a delay of switching, and the use of networks' capacity.

use drowse_core::model::units::Time;

use drowse_describe::usage::Options;
use drowse_run::error::RunError;
use drowse_tables::schema::usage as columns;

use super::machines::{CG, MG, MILC, grid, percs, stencil, usage};
use super::molecules::stmv;
use super::shares::{found, limit, own};
use crate::comparison::{Comparison, Theirs};
use crate::trivial::Kind;

/// A stencil whose neighbours are the network's, messages of 2 MB over links of 1 GB/s.
const NETWORK: &str = "{ kind = \"torus\", dims = [4, 4, 4], routing = \"dimension-order\" }";
const LINKS: [&str; 4] =
    ["node.cores=1", "switch.vcs={ escape = 2 }", "link.bandwidth=\"1 GB/s\"", "job.0.app.bytes=\"2 MB\""];
const PERFECT: &str = "3D-Stencil on a 3D torus, neighbours on neighbours, 2 MB a message, 1 GB/s, iterations of 10 ms";

/// The applications of Fig. 10 that are known, of 4,096 ranks on 128 nodes; stencils with messages of 8 KiB, NAMD on STMV.
fn applications() -> [(&'static str, String); 8] {
    [
        ("2D-Stencil", stencil(&[64, 64])),
        ("3D-Stencil", stencil(&[16, 16, 16])),
        ("4D-Stencil", stencil(&[8, 8, 8, 8])),
        ("MILC", MILC.to_owned()),
        ("CG", CG.to_owned()),
        ("MG", MG.to_owned()),
        ("NAMD", stmv(0)),
        ("NAMD_PME", stmv(4)),
    ]
}

/// What the paper says of Fig. 10.
const EXCEPT_CG: &str = "\"Except CG on 6D Torus network, the applications utilize less than 10% of the network\"";

/// Compares Fig. 10. An idle network keeps each limit but one, so that they are only shown: what is compared is how many are
/// kept, all but one.
pub fn capacity(rows: &mut Vec<Comparison>) -> Result<(), RunError> {
    let options = Options { time: Some(Time::from_us(30_000)), ..Options::default() };
    let (mut below, mut of_cg) = (0, String::new());
    let applications = applications();
    for (name, app) in &applications {
        for (network, keys, more) in [
            ("PERCS", percs(4), &[][..]),
            ("the 6D torus", grid(&[2, 2, 2, 2, 2, 4]), &["switch.vcs={ escape = 2 }"][..]),
        ] {
            let saved = usage(&keys, app, more, &options)?.number(columns::SAVINGS_BOUND).unwrap_or(f64::NAN);
            let used = percent(1.0 - saved);
            below += u32::from(used < LIMIT);
            let row =
                |limit| own(format!("Fig. 10, {name}"), format!("capacity of {network} used, {limit}"), used, OURS);
            rows.push(if *name == "CG" && network != "PERCS" {
                let slower = 10.0 * used;
                of_cg = format!("with links of 1 GB/s, as in the example of section 5, CG's is {slower:.1} %");
                limit(row("more than 10 %"), Theirs::Above(LIMIT), Kind::Share).shown().with_cause(&*of_cg)
            } else {
                limit(row("\"less than 10 %\""), Theirs::Below(LIMIT), Kind::Share).shown()
            });
        }
    }
    let all = 2.0 * applications.len() as f64;
    let quantity = "applications on PERCS and on the 6D torus that use less than 10 % of its capacity";
    let how = format!("{EXCEPT_CG}: all of {all} but one; {OURS}");
    let row = Comparison::own("Fig. 10", quantity, "1", f64::from(below), how);
    rows.push(found(row, (all - 1.0, 0.0), Kind::Holds { of: all }).with_cause(of_cg));
    Ok(())
}

/// The share of a network's capacity that the paper names, in percent.
const LIMIT: f64 = 10.0;
const OURS: &str =
    "in iterations of 30 ms, as in section 6; a link of the torus carries 10 GB/s; that, and sizes, are ours";

/// Compares the example of section 5, and its delay in section 6.
pub fn compare(rows: &mut Vec<Comparison>) -> Result<(), RunError> {
    let bound = |delay: Option<Time>| {
        let options = Options { time: Some(Time::from_us(10_000)), delay, ..Options::default() };
        let row = usage(NETWORK, &stencil(&[4, 4, 4]), &LINKS, &options)?;
        Ok::<_, RunError>(percent(row.number(columns::SAVINGS_BOUND).unwrap_or(f64::NAN)))
    };
    let whole = bound(None)?;
    let comparison = Comparison::printed("Section 5", "power of links saved at most, M", "%", "80", whole, PERFECT);
    rows.push(comparison.with_trivial(Kind::Saved { idle: 100.0 }));
    let switched = |us: u64| Ok::<_, RunError>(whole - bound(Some(Time::from_us(us)))?);
    let ours = switched(10)?;
    let how = "a stencil that uses all links, in 10 ms";
    let row = own("Section 6", "overhead of a delay of 10 us", percent(ours / 100.0), how);
    rows.push(
        found(row, (1.0, 0.1), Kind::Change)
            .with_cause("2 p d / t of the paper's own formula, all links used, is 0.2 %, not 1 %"),
    );
    let how = "the same with the 20 us of a call added to it: still below what the paper says for 10 us";
    let ours = switched(30)?;
    rows.push(own("Section 6", "overhead of a delay of 30 us", percent(ours / 100.0), how));
    Ok(())
}

/// Turns a share into a percentage without what sums of floats leave behind the ninth decimal.
fn percent(share: f64) -> f64 {
    (share * 1e11).round() / 1e9
}
