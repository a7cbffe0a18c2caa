//! Folders that hold no results, or half of them: one message that says what to do.

use std::fs;

use drowse_report::Results;

const CASES: &str = "makespan_s,links.wakes,case_id\n1.0,2,a\n2.0,3,b\n";

/// Returns the message of a folder with this cases.csv, without the folder's name.
fn refused(cases: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("cases.csv"), cases).unwrap();
    let error = Results::read(folder.path()).unwrap_err();
    assert!(error.is_bad_input());
    error.to_string().rsplit_once("cases.csv").unwrap().1.to_owned()
}

#[test]
fn a_cut_table_is_told() {
    for cut in 1..CASES.len() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("cases.csv"), &CASES[..cut]).unwrap();
        let whole_lines = CASES[..cut].ends_with('\n');
        let rows = CASES[..cut].matches('\n').count().saturating_sub(1);
        assert_eq!(Results::read(folder.path()).is_ok(), whole_lines && rows > 0, "after {cut} bytes");
    }
    let again = "run the experiment again, or copy the file anew";
    assert_eq!(refused("a,b\n1,2\n3"), format!(": is cut: its last line has no end; {again}"));
    assert_eq!(refused("a,b\n1,2\n3\n"), format!(": line 3 has 1 cells instead of 2; {again}"));
    assert_eq!(refused("makespan_s\nsoon\n"), format!(": line 2, column `makespan_s`: `soon` is no number; {again}"));
    assert_eq!(refused("makespan_s\ninf\n"), format!(": line 2, column `makespan_s`: `inf` is no number; {again}"));
}

#[test]
fn a_folder_without_results_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let message = |path: &std::path::Path| Results::read(path).unwrap_err().to_string();
    let help = "give a folder that `drowse run --out` or `drowse sweep --out` has written";
    assert!(message(folder.path()).ends_with(&format!(": holds no cases.csv; {help}")));
    assert!(message(&folder.path().join("none")).ends_with(&format!("none: no such folder; {help}")));
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    assert!(message(&file).ends_with(&format!("file: is no folder; {help}")));
    fs::write(folder.path().join("cases.csv"), "case_id\n").unwrap();
    assert!(message(folder.path()).ends_with(&format!(": cases.csv has no rows; {help}")));
    fs::write(folder.path().join("cases.csv"), CASES).unwrap();
    fs::write(folder.path().join("manifest.json"), "{\"version\": ").unwrap();
    assert!(message(folder.path()).contains("manifest.json: is no manifest: "));
}
