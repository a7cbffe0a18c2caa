//! How often the 95 % intervals of sweeps over seeds hold a mean that is known.

use std::fs;
use std::sync::Arc;

use drowse_experiment::{Sweep, read_source};
use drowse_run::sweep::{self, statistics};
use drowse_run::sweep::{Wanted, Watch};

/// Points and seeds of each: no two cases have the same seed. A timer that never ends tells points apart.
const POINTS: u32 = 2_000;
const SEEDS: u32 = 5;

/// What a node generates in a cycle is drawn, and its mean is the load.
#[test]
#[ignore = "10,000 cases, in half a minute; cargo xtask long"]
fn the_offered_load_lies_in_nineteen_of_twenty_intervals() {
    let folder = tempfile::tempdir().unwrap();
    let timers: Vec<String> = (0..POINTS * SEEDS).map(|case| format!("\"{} ms\"", 1 + case / SEEDS)).collect();
    let text = format!(
        "[network]\nkind = \"torus\"\ndims = [8]\n[power]\npolicy = {{ kind = \"stall-timer\", deep = \"1 ms\" }}\n\
         [traffic]\nload = 0.3\nwarmup = \"100 cycles\"\nmeasure = \"1000 cycles\"\n\
         [sweep]\nseed = {{ from = 1, to = {}, step = 1 }}\n\"power.policy.deep\" = [{}]\n\
         zip = [[\"seed\", \"power.policy.deep\"]]\n",
        POINTS * SEEDS,
        timers.join(", ")
    );
    let path = folder.path().join("x.toml");
    fs::write(&path, text).unwrap();
    let source = Arc::new(read_source(&path, &[]).unwrap());
    let sweep = Sweep::new(&source).unwrap();
    let report =
        sweep::run(&sweep, &folder.path().join("out"), 2, &Wanted::rows(POINTS as usize), &Watch::default()).unwrap();
    assert_eq!(report.points.len(), POINTS as usize);
    let held = report.points.iter().filter(|point| {
        let (mean, half_width) = statistics::of_figure(point, "load.offered");
        (mean.unwrap() - 0.3).abs() <= half_width.unwrap()
    });
    let held = held.count();
    // The standard error of the share is 0.5 %.
    assert!((1_860..=1_940).contains(&held), "{held} of {POINTS} intervals hold the load");
}
