//! `drowse plot`: files of every format, without other programs.

use std::fs;

use crate::support::drowse_in;

/// Loads of two policies, one of which saturates the network.
const CURVES: &str = "
title = 'Load curves'
network = { kind = 'torus', dims = [4] }
power = { policy = { kind = 'always-on' }, states = 'eee-100g-fast-wake' }
traffic = { load = 0.1, warmup = '200 cycles', measure = '200 cycles' }
[sweep]
'traffic.load' = [0.1, 0.5]
'power.policy' = [{ kind = 'always-on' }, { kind = 'immediate' }]
";

fn curves() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("curves.toml"), CURVES).unwrap();
    assert_eq!(drowse_in(folder.path(), &["sweep", "curves.toml", "--out", "curves"]).code, Some(0));
    folder
}

#[test]
fn pictures_need_no_other_program_and_are_the_same_each_time() {
    let folder = curves();
    let plot = |name: &str, more: &[&str]| {
        let arguments = [&["plot", "curves", "--kind", "latency", "--force", "-o", name], more].concat();
        let ended = drowse_in(folder.path(), &arguments);
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{name}");
        fs::read(folder.path().join(name)).unwrap()
    };
    for (name, begins) in [("x.png", &b"\x89PNG\r\n\x1a\n"[..]), ("x.pdf", b"%PDF-1."), ("x.svg", b"<svg ")] {
        let file = plot(name, &[]);
        assert!(file.starts_with(begins), "{name}");
        assert_eq!(file, plot(name, &[]), "{name}: the same bytes");
        // What is one's own is replaced without a word.
        let again = ["plot", "curves", "--kind", "accepted", "-o", name];
        assert_eq!(drowse_in(folder.path(), &again).code, Some(0), "{name}");
    }
    // 84 mm are 317.5 pixels of 96 an inch, in whole ones 318; an inch of dots has 300.
    let png = plot("narrow.png", &["--width", "84mm", "--font-size", "8pt"]);
    let width = u32::from_be_bytes(png[16..20].try_into().unwrap());
    assert!((f64::from(width) - 318.0 / 96.0 * 300.0).abs() <= 0.5, "{width}");
    let spec: serde_json::Value =
        serde_json::from_slice(&plot("x.json", &["--limits", "y=0:5", "--format", "vega"])).unwrap();
    assert_eq!(spec["layer"][0]["encoding"]["y"]["scale"]["domain"], serde_json::json!([0.0, 5.0]));
    assert_eq!(spec["datasets"]["latency"].as_array().map(Vec::len), Some(4), "the data is in it");
}

#[test]
fn what_cannot_be_drawn_leaves_no_file() {
    let folder = curves();
    let refused = |more: &[&str]| {
        let arguments = [&["plot", "curves", "--kind", "latency", "-o", "x.svg"], more].concat();
        let ended = drowse_in(folder.path(), &arguments);
        assert_eq!((ended.code, folder.path().join("x.svg").exists()), (Some(2), false), "{more:?}");
        ended.stderr
    };
    insta::assert_snapshot!(refused(&["--facet", "trunk"]), @"error: curves: has no key `trunk` with several values for --facet; it has load, policy");
    insta::assert_snapshot!(refused(&["--show", "joules"]), @"error: curves: the chart `latency` has no single choice with the words `joules`; it has: packet latency, mean, us; packet latency, 99th percentile, us");
    insta::assert_snapshot!(refused(&["--log", "y", "--limits", "y=0:5"]), @"error: --limits y: a logarithmic axis begins above 0");
    insta::assert_snapshot!(refused(&["--width", "1mm"]), @"error: --width: nothing could be read; give 120px or more");
    assert!(refused(&["--width", "3ft"]).contains("`ft` is no unit of length"));
    assert!(refused(&["--limits", "y=5:1"]).contains("the first end must be less"));
}
