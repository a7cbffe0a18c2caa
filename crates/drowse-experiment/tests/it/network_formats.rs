//! Files of networks in experiments: their content tells the format, whatever their name and their line ends.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use drowse_experiment::{Source, System};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../drowse-fabric/tests/data/networks")
}

/// Reads a file as the network of an experiment beside it.
fn read(file: &Path) -> Result<System, String> {
    let name = file.file_name().unwrap().to_string_lossy();
    let text = format!("[network]\nkind = \"graph\"\nfile = \"{name}\"\n");
    let source = Source::new(&file.with_file_name("x.toml"), text, &[]).unwrap();
    drowse_experiment::system(&Arc::new(source)).map_err(|error| error.to_string())
}

/// The ending of a file's name says nothing.
#[test]
fn content_decides_and_not_the_name() {
    let folder_of_test = tempfile::tempdir().unwrap();
    for (file, ending) in [("square.dot", "txt"), ("renam.graphml", "dot"), ("edges.txt", "xml")] {
        let new = folder_of_test.path().join(format!("network.{ending}"));
        fs::copy(folder().join(file), &new).unwrap();
        let (here, there) = (read(&new).unwrap(), read(&folder().join(file)).unwrap());
        assert_eq!(here.topology, there.topology, "{file}");
    }
}

/// A byte order mark, and lines that end as on other systems.
#[test]
fn marks_and_line_ends() {
    let folder_of_test = tempfile::tempdir().unwrap();
    for file in
        ["square.dot", "renam.graphml", "edges.txt", "ibnetdiscover.topo", "iblinkinfo.txt", "opensm-subnet.lst"]
    {
        let text = fs::read_to_string(folder().join(file)).unwrap();
        for changed in [format!("\u{feff}{text}"), text.replace('\n', "\r\n")] {
            let new = folder_of_test.path().join(file);
            fs::write(&new, changed).unwrap();
            assert_eq!(read(&new).unwrap().topology, read(&folder().join(file)).unwrap().topology, "{file}");
        }
    }
}

#[test]
fn what_is_packed_is_said_so() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("graph.graphml.gz");
    for (bytes, told) in [
        (&b"\x1f\x8b\x08\0\xff"[..], "packed by gzip"),
        (b"PK\x03\x04\xff", "a zip archive"),
        (b"\xff\xfea\0", "UTF-16"),
        (&drowse_fabric::infiniband::CACHE, "a cache of ibnetdiscover"),
    ] {
        fs::write(&file, bytes).unwrap();
        let error = read(&file).unwrap_err();
        assert!(error.contains(told), "{error}");
    }
}
