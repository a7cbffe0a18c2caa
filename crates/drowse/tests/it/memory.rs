//! What memory a run is said to need, against what it takes.

use std::fs;

use crate::support::{drowse_in, json_of};

/// At next to no load a process takes what is estimated for its network and its simulation, beside what a tiny run
/// takes.
#[test]
fn estimates_are_near_what_runs_take() {
    let folder = tempfile::tempdir().unwrap();
    let number = |command: &[&str], name: [&str; 2]| {
        let ended = drowse_in(folder.path(), &[command, &["x.toml", "--format", "json"]].concat());
        let json = json_of(&ended);
        json[name[0]][name[1]].as_f64().unwrap()
    };
    let write = |dims: &str, policy: &str, vcs: u32| {
        let text = format!(
            "[network]\nkind = \"torus\"\ndims = {dims}\n[switch]\nvcs = {{ adaptive = {vcs}, escape = 2 }}\n\
             [power]\nchannels = \"all\"\npolicy = {{ kind = \"{policy}\" }}\n\
             [traffic]\nload = 1e-6\nwarmup = \"1 cycles\"\nmeasure = \"2 cycles\"\ndrain = false\n"
        );
        fs::write(folder.path().join("x.toml"), text).unwrap();
    };
    write("[4]", "always-on", 2);
    let of_program = number(&["run", "--threads", "1"], ["engine", "peak_rss_bytes"]);
    let mut taken = Vec::new();
    for (policy, vcs) in [("always-on", 2), ("immediate", 2), ("always-on", 6)] {
        write("[30, 30, 30]", policy, vcs);
        let of = |name| number(&["network"], ["memory", name]);
        let estimate = of("network_bytes") + of("simulation_bytes");
        let peak = number(&["run", "--threads", "1"], ["engine", "peak_rss_bytes"]) - of_program;
        taken.push((policy, vcs, estimate, peak, peak / estimate));
    }
    assert!(taken.iter().all(|&(.., ratio)| (0.9..1.1).contains(&ratio)), "{taken:?}");
}
