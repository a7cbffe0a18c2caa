//! `drowse report`: a page of what a run and a sweep have written, and folders that are none.

use std::fs;

use crate::support::{drowse_in, ping};

#[test]
fn a_run_and_a_sweep_become_pages() {
    let folder = ping();
    let done = |arguments: &[&str]| {
        let ended = drowse_in(folder.path(), arguments);
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{arguments:?}");
        ended.stdout
    };
    done(&["run", "ping.toml", "--baseline", "always-on", "--out", "run", "--table", "idle-periods"]);
    assert_eq!(done(&["report", "run", "-o", "run.html"]), "", "the page is in the file");
    let page = fs::read_to_string(folder.path().join("run.html")).unwrap();
    for kind in ["energy", "states", "waiting", "path", "network", "links", "ranks", "idle"] {
        assert!(page.contains(&format!("data-chart=\"{kind}\"")), "{kind}");
    }
    assert!(
        page.contains("<title>Ping</title>") && page.contains(">this case</th>") && page.contains(">always on</th>")
    );
    let sweep = "sweep={ \"power.policy.deep\" = [\"1 us\", \"20 us\"] }";
    done(&["sweep", "ping.toml", "--set", sweep, "--out", "sweep"]);
    done(&["report", "sweep", "--output", "sweep.html"]);
    let page = fs::read_to_string(folder.path().join("sweep.html")).unwrap();
    assert!(page.contains("<legend>power.policy.deep</legend>") && page.contains("data-chart=\"swept\""));
    // The same tables make the same page, in the place of the old one.
    done(&["report", "sweep", "-o", "run.html"]);
    assert_eq!(fs::read_to_string(folder.path().join("run.html")).unwrap(), page);
}

#[test]
fn what_cannot_be_shown_or_written_is_refused() {
    let folder = ping();
    let refused = |arguments: &[&str]| {
        let ended = drowse_in(folder.path(), arguments);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{arguments:?}");
        ended.stderr
    };
    insta::assert_snapshot!(refused(&["report", "none", "-o", "page.html"]), @"error: none: no such folder; give a folder that `drowse run --out` or `drowse sweep --out` has written");
    insta::assert_snapshot!(refused(&["report", ".", "-o", "page.html"]), @"error: .: holds no cases.csv; give a folder that `drowse run --out` or `drowse sweep --out` has written");
    fs::write(folder.path().join("cases.csv"), "makespan_s,case_id\n0.001,a\n").unwrap();
    insta::assert_snapshot!(refused(&["report", ".", "-o", "none/page.html"]), @"error: none/page.html: cannot be written: No such file or directory (os error 2); give the name of a file in a folder that is there");
    insta::assert_snapshot!(refused(&["report", ".", "-o", ".."]), @"error: ..: cannot be written: invalid filename; give the name of a file in a folder that is there");
    fs::write(folder.path().join("cases.csv"), "makespan_s,case_id\n0.001,a\n0.0").unwrap();
    insta::assert_snapshot!(refused(&["report", ".", "-o", "page.html"]), @"error: ./cases.csv: is cut: its last line has no end; run the experiment again, or copy the file anew");
    assert!(!folder.path().join("page.html").exists());
}
