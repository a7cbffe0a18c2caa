//! Schema, references, completions and manual pages.

use std::fs;

use crate::support::{drowse, root};

/// The pages that the program writes itself; run with `DROWSE_UPDATE=1` to write them anew.
#[test]
fn pages_are_up_to_date() {
    for (file, arguments) in [
        ("schema/experiment.schema.json", &["schema"][..]),
        ("docs/reference/keys.md", &["schema", "--format", "markdown"]),
        ("docs/reference/columns.md", &["schema", "--format", "columns"]),
        ("docs/reference/formats.md", &["schema", "--format", "formats"]),
        ("python/drowse/spec.py", &["schema", "--format", "python"]),
        ("docs/reference/commands.md", &["man", "--format", "markdown"]),
        ("docs/reference/states.md", &["states", "--format", "markdown"]),
        ("docs/reference/devices.md", &["devices", "--format", "markdown"]),
    ] {
        let ended = drowse(arguments);
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
        let path = root().join(file);
        if std::env::var_os("DROWSE_UPDATE").is_some() {
            fs::write(&path, &ended.stdout).unwrap();
        }
        let written = fs::read_to_string(&path).unwrap_or_default();
        assert!(written == ended.stdout, "{file} is out of date: write it anew with DROWSE_UPDATE=1");
    }
}

#[test]
fn every_shell_has_completions() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ended = drowse(&["completions", shell]);
        assert_eq!(ended.code, Some(0));
        assert!(ended.stdout.contains("reproduce"), "{shell}");
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(drowse(&["man", "--out", folder.path().to_str().unwrap()]).code, Some(0));
    for page in
        ["drowse", "drowse-run", "drowse-sweep", "drowse-network", "drowse-trace", "drowse-trace-info", "drowse-schema"]
    {
        let text = fs::read_to_string(folder.path().join(format!("{page}.1")))
            .unwrap_or_else(|error| panic!("{page}: {error}"));
        assert!(text.contains(".SH SYNOPSIS"), "{page}");
    }
}
