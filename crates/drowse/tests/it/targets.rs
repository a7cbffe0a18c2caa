//! Files that a user names to be written: what is there is never lost unasked, and what is no file is written through.

use std::fs;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::support::{drowse_in, ping};

/// The commands that write a file by a name, without it; `trace scale` does as `trace cut`.
const WRITERS: [&[&str]; 6] = [
    &["report", "out", "-o"],
    &["plot", "out", "--kind", "states", "-o"],
    &["network", "ping.toml", "--format", "svg", "-o"],
    &["trace", "info", "ping.ti", "--svg"],
    &["trace", "convert", "ping.ti", "-o"],
    &["trace", "cut", "ping.ti", "--ranks", "2", "-o"],
];

fn results() -> TempDir {
    let folder = ping();
    assert_eq!(drowse_in(folder.path(), &["run", "ping.toml", "--out", "out"]).code, Some(0));
    folder
}

fn with<'a>(writer: &[&'a str], rest: &[&'a str]) -> Vec<&'a str> {
    [writer, rest].concat()
}

#[test]
fn devices_and_pipes_are_written_through() {
    let folder = results();
    for writer in WRITERS {
        let ended = drowse_in(folder.path(), &with(writer, &["/dev/null"]));
        assert_eq!(ended.code, Some(0), "{writer:?}: {}", ended.stderr);
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
        let [dash, device] = ["-", "/dev/stdout"].map(|name| drowse_in(folder.path(), &with(writer, &[name])));
        assert!(dash.code == Some(0) && !dash.stdout.is_empty(), "{writer:?}: {}", dash.stderr);
        assert_eq!((device.code, device.stdout), (Some(0), dash.stdout), "{writer:?}");
        let full = drowse_in(folder.path(), &with(writer, &["/dev/full"]));
        assert_eq!(full.code, Some(3), "{writer:?}: {}", full.stderr);
    }
}

#[test]
fn a_fifo_gets_the_whole() {
    let folder = results();
    let fifo = folder.path().join("page.html");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let copy = fs::File::create(folder.path().join("copy")).unwrap();
    let mut reader = Command::new("cat").arg(&fifo).stdout(Stdio::from(copy)).spawn().unwrap();
    assert_eq!(drowse_in(folder.path(), &["report", "out", "-o", "page.html"]).code, Some(0));
    assert!(reader.wait().unwrap().success());
    let read = fs::read(folder.path().join("copy")).unwrap();
    assert!(fs::symlink_metadata(&fifo).unwrap().file_type().is_fifo());
    // A page that has no place has no links to the tables beside it. One in a file also ends with the mark of who made it.
    let told = drowse_in(folder.path(), &["report", "out", "-o", "-"]);
    assert_eq!(told.code, Some(0));
    assert!(told.stdout.len() > 10_000 && read.starts_with(told.stdout.as_bytes()));
}

#[test]
fn what_is_there_stays() {
    let folder = results();
    let put = |name: &str| fs::write(folder.path().join(name), "mine\n").unwrap();
    let refused = |arguments: &[&str], file: &str| {
        let before = fs::read(folder.path().join(file)).unwrap();
        let ended = drowse_in(folder.path(), arguments);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(before == fs::read(folder.path().join(file)).unwrap(), "{arguments:?}");
        ended.stderr
    };
    for writer in WRITERS {
        put("mine.svg");
        let said = refused(&with(writer, &["mine.svg"]), "mine.svg");
        assert!(said.contains("mine.svg: is there already") && said.contains("--force"), "{said}");
        let ended = drowse_in(folder.path(), &with(writer, &["mine.svg", "--force"]));
        assert_eq!(ended.code, Some(0), "{writer:?}: {}", ended.stderr);
        assert_ne!(fs::read(folder.path().join("mine.svg")).unwrap(), b"mine\n");
        if ["report", "plot", "network"].contains(&writer[0]) {
            // A results table of another kind would be refused by its ending.
            continue;
        }
        for table in ["out/cases.csv", "out/manifest.json", "out/checksums.json", "out/host.json"] {
            let said = refused(&with(writer, &[table, "--force"]), table);
            assert!(said.contains("belongs to results"), "{said}");
        }
        let said = refused(&with(writer, &["ping.ti", "--force"]), "ping.ti");
        assert!(said.contains("is read by this command"), "{said}");
    }
    assert!(refused(&["report", "out", "-o", "out/cases.csv"], "out/cases.csv").contains("belongs to results"));
}

/// What fails leaves neither an empty file nor a part of one.
#[test]
fn a_failed_command_leaves_no_file() {
    let folder = results();
    fs::write(folder.path().join("broken.ti"), "0 send\n").unwrap();
    let ideal = "title = 'x'\nnetwork = { kind = 'ideal', nodes = 4, latency = '1 us', bandwidth = '1 GB/s' }\n";
    fs::write(folder.path().join("ideal.toml"), ideal).unwrap();
    let commands: [&[&str]; 7] = [
        &["report", "none", "-o"],
        &["plot", "out", "--kind", "latency", "-o"],
        &["network", "ideal.toml", "--format", "svg", "-o"],
        &["network", "ping.toml", "--format", "svg", "--colour", "none", "-o"],
        &["trace", "info", "broken.ti", "--svg"],
        &["trace", "convert", "broken.ti", "-o"],
        &["trace", "cut", "ping.ti", "--ranks", "9-12", "-o"],
    ];
    let before = fs::read_dir(folder.path()).unwrap().count();
    for command in commands {
        let ended = drowse_in(folder.path(), &with(command, &["new.svg"]));
        assert_eq!(ended.code, Some(2), "{command:?}: {}", ended.stderr);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), before, "{command:?}");
    }
}

/// Made by the program, a page and a picture are made anew; a link to one stays a link.
#[test]
fn what_the_program_made_is_made_anew() {
    let folder = results();
    std::os::unix::fs::symlink("page.html", folder.path().join("link.html")).unwrap();
    let twice = |arguments: &[&str]| {
        for _ in 0..2 {
            let ended = drowse_in(folder.path(), arguments);
            assert_eq!(ended.code, Some(0), "{arguments:?}: {}", ended.stderr);
        }
    };
    twice(&["report", "out", "-o", "page.html"]);
    twice(&["report", "out", "-o", "link.html"]);
    assert!(folder.path().join("link.html").is_symlink());
    for ending in ["svg", "json"] {
        twice(&["plot", "out", "--kind", "states", "-o", &format!("states.{ending}")]);
    }
    for ending in ["svg", "pdf", "png"] {
        twice(&["network", "ping.toml", "-o", &format!("net.{ending}")]);
    }
    twice(&["trace", "info", "ping.ti", "--svg", "map.svg"]);
    twice(&["man", "--out", "man"]);
}

/// Neither a file beside the picture is lost, nor is that to which a link at the place of the lock leads.
#[test]
fn files_of_others_are_not_touched() {
    let folder = results();
    let beside = folder.path().join("states.pdf.svg");
    fs::write(&beside, "mine\n").unwrap();
    drowse_in(folder.path(), &["plot", "out", "--kind", "states", "-o", "states.pdf"]);
    assert_eq!(fs::read(&beside).unwrap(), b"mine\n");
    let (sweep, kept) = (folder.path().join("sweep"), folder.path().join("kept"));
    fs::create_dir(&sweep).unwrap();
    fs::write(&kept, "mine\n").unwrap();
    std::os::unix::fs::symlink(&kept, sweep.join(".lock")).unwrap();
    let ended = drowse_in(folder.path(), &["sweep", "ping.toml", "--out", "sweep"]);
    assert!(ended.code != Some(0) && ended.stderr.contains(".lock"), "{}", ended.stderr);
    assert_eq!(fs::read(&kept).unwrap(), b"mine\n");
}

/// A killed report leaves a part of a page, which the next one removes.
#[test]
fn what_a_killed_report_leaves_goes() {
    let folder = results();
    let left = folder.path().join(".page.html.1-0123456789abcdef.partial");
    fs::write(&left, "<!DOCTYPE").unwrap();
    assert_eq!(drowse_in(folder.path(), &["report", "out", "-o", "page.html"]).code, Some(0));
    assert!(!left.exists());
}

#[cfg(target_os = "linux")]
#[test]
fn names_need_not_be_utf_8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = results();
    let name = OsStr::from_bytes(b"page-\xff.html");
    let mut command = Command::new(env!("CARGO_BIN_EXE_drowse"));
    let status = command.current_dir(folder.path()).args(["report", "out", "-o"]).arg(name).status().unwrap();
    assert!(status.success() && folder.path().join(Path::new(name)).is_file());
}
