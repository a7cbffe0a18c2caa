//! The formats of files of networks that people have: each is recognised by its content, and read or refused by name.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use drowse_experiment::{NETWORK_FORMATS, Source, System};

/// A file of `tests/data/networks` for each format.
const FILES: [(&str, &str); 47] = [
    ("edges.txt", "a list of edges"),
    ("renam.graphml", "GraphML"),
    ("square.dot", "DOT (Graphviz)"),
    ("simgrid-platform.xml", "a SimGrid platform"),
    ("graph.gexf", "a GEXF graph"),
    ("sst.sdl", "an SST network in SDL"),
    ("sndlib.xml", "an SNDlib network"),
    ("other.xml", "XML of another kind"),
    ("ibnetdiscover.topo", "output of ibnetdiscover"),
    ("ibsim.net", "input of ibsim"),
    ("opensm-subnet.lst", "a list of links by OpenSM (opensm-subnet.lst)"),
    ("opensm.lft", "a dump of tables by OpenSM (LFT, SL, hops)"),
    ("opensm.fdbs", "a dump of tables by OpenSM (LFT, SL, hops)"),
    ("opensm.sl2vl", "a dump of tables by OpenSM (LFT, SL, hops)"),
    ("slurm-topology.conf", "Slurm's topology.conf"),
    ("slurm-topology.yaml", "Slurm's topology.yaml"),
    ("booksim-anynet.txt", "an anynet file of BookSim"),
    ("booksim.cfg", "settings of BookSim"),
    ("htsim.cm", "a connection matrix of htsim"),
    ("htsim.topo", "a topology of htsim"),
    ("astra-sim.yml", "an analytical network of ASTRA-sim"),
    ("astra-sim.json", "an analytical network of ASTRA-sim in JSON"),
    ("ns3-topology.txt", "a topology of ns-3 (HPCC, ASTRA-sim)"),
    ("codes.conf", "settings of CODES"),
    ("codes.yaml", "settings of CODES in YAML"),
    ("sst.py", "a network of SST in Python"),
    ("mininet.py", "a program in Python"),
    ("supersim.json", "settings of SuperSim"),
    ("sst.json", "a network of SST in JSON"),
    ("cytoscape.json", "a graph of Cytoscape in JSON"),
    ("adjacency.json", "adjacency data in JSON"),
    ("node-link.json", "a node-link graph in JSON"),
    ("tree.json", "JSON of another kind"),
    ("graph.gml", "GML"),
    ("networkx-edges.txt", "a list of edges with data by networkx"),
    ("pajek.net", "a Pajek network"),
    ("leda.gw", "a LEDA graph"),
    ("matrix-market.mtx", "a Matrix Market file"),
    ("dimacs.col", "a DIMACS graph"),
    ("graph.g6", "graph6 or sparse6"),
    ("ucinet.dl", "a UCINET DL file"),
    ("metis.graph", "a METIS graph"),
    ("labels.tgf", "a Trivial Graph Format file"),
    ("adjacency.txt", "an adjacency list"),
    ("edges.csv", "a table with separators or names of columns"),
    ("from-to.txt", "a table with separators or names of columns"),
    ("neighbours.txt", "an adjacency list"),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/networks")
}

/// Reads a file as the network of an experiment beside it.
fn read(file: &Path) -> Result<System, String> {
    let name = file.file_name().unwrap().to_string_lossy();
    let text = format!("[network]\nkind = \"graph\"\nfile = \"{name}\"\n");
    let source = Source::new(&file.with_file_name("x.toml"), text, &[]).unwrap();
    drowse_experiment::system(&Arc::new(source)).map_err(|error| error.to_string())
}

#[test]
fn each_is_read_or_refused_by_its_name() {
    for (file, name) in FILES {
        let format = NETWORK_FORMATS.iter().find(|format| format.name == name);
        let format = format.unwrap_or_else(|| panic!("no format {name}"));
        match read(&folder().join(file)) {
            Ok(system) => assert!(format.is_read() && system.network.switches() > 2, "{file}"),
            Err(told) => {
                let expected = format!("this is {name}, which is not read here");
                assert!(
                    !format.is_read() && told.contains(&expected) && told.contains(format.advice),
                    "{file}: {told}"
                );
            }
        }
    }
}

#[test]
fn each_format_has_a_file_and_each_file_a_format() {
    let tried: BTreeSet<&str> = FILES.iter().map(|(_, name)| *name).collect();
    let known: BTreeSet<&str> = NETWORK_FORMATS.iter().map(|format| format.name).collect();
    assert_eq!(tried, known);
    assert!(NETWORK_FORMATS.iter().all(|format| !format.sign.is_empty() && !format.advice.is_empty()));
    let there = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    let files: BTreeSet<String> = FILES.iter().map(|(file, _)| (*file).to_owned()).collect();
    assert_eq!(files, there.filter(|file| file != "README.md").collect());
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
    for file in ["square.dot", "renam.graphml", "edges.txt"] {
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
    ] {
        fs::write(&file, bytes).unwrap();
        let error = read(&file).unwrap_err();
        assert!(error.contains(told), "{error}");
    }
}
