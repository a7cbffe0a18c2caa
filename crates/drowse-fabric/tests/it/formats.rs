//! The formats of files of networks that people have: each is recognised by its content, and read or refused by name.

use std::collections::BTreeSet;
use std::fs;

use drowse_core::topology::TableKind;
use drowse_fabric::{FORMATS, Options, read};

use crate::support::folder;

/// A file of `tests/data/networks` for each format.
const FILES: [(&str, &str); 58] = [
    ("edges.txt", "a list of edges"),
    ("renam.graphml", "GraphML"),
    ("square.dot", "DOT (Graphviz)"),
    ("simgrid-platform.xml", "a SimGrid platform"),
    ("nccl-dgx-a100.xml", "a topology of NCCL"),
    ("graph.gexf", "a GEXF graph"),
    ("sst.sdl", "an SST network in SDL"),
    ("sndlib.xml", "an SNDlib network"),
    ("other.xml", "XML of another kind"),
    ("ibnetdiscover.topo", "output of ibnetdiscover"),
    ("ibnetdiscover-p.txt", "output of ibnetdiscover -p"),
    ("iblinkinfo.txt", "output of iblinkinfo"),
    ("ibdiagnet2.db_csv", "a database of ibdiagnet (ibdiagnet2.db_csv)"),
    ("opensm.mft", "a dump of multicast tables"),
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
    ("astra-sim-first.json", "an analytical network of ASTRA-sim's first version"),
    ("ns3-topology.txt", "a topology of ns-3 (HPCC, ASTRA-sim, SimAI)"),
    ("simai-topology.txt", "a topology of ns-3 (HPCC, ASTRA-sim, SimAI)"),
    ("infragraph.yaml", "a network of InfraGraph"),
    ("infragraph.json", "a network of InfraGraph in JSON"),
    ("codes.conf", "settings of CODES"),
    ("codes.yaml", "settings of CODES in YAML"),
    ("sst.py", "a network of SST in Python"),
    ("mininet.py", "a program in Python"),
    ("supersim.json", "settings of SuperSim"),
    ("sst.json", "a network of SST in JSON"),
    ("cytoscape.json", "a graph of Cytoscape in JSON"),
    ("adjacency.json", "adjacency data in JSON"),
    ("node-link.json", "a node-link graph in JSON"),
    ("renam.json", "a node-link graph in JSON"),
    ("tree.json", "JSON of another kind"),
    ("graph.gml", "GML"),
    ("renam.gml", "GML"),
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

#[test]
fn each_is_read_or_refused_by_its_name() {
    for (file, name) in FILES {
        let format = FORMATS.iter().find(|format| format.name == name);
        let format = format.unwrap_or_else(|| panic!("no format {name}"));
        let text = fs::read_to_string(folder().join(file)).expect("a text");
        let options = Options { uplinks: format.takes_uplinks().then_some(1), ..Options::default() };
        match read(&text, &options, TableKind::Shortest) {
            Ok(fabric) => assert!(format.is_read() && !fabric.graph.nodes.is_empty(), "{file}"),
            Err(wrong) if format.is_read() => panic!("{file}: {wrong}"),
            Err(wrong) => {
                let expected = format!("this is {name}, which is not read here");
                assert_eq!((wrong.message, wrong.help), (expected, format.advice.to_owned()), "{file}");
                assert!(!format.is_read(), "{file}");
            }
        }
    }
}

#[test]
fn each_format_has_a_file_and_each_file_a_format() {
    let tried: BTreeSet<&str> = FILES.iter().map(|(_, name)| *name).collect();
    let known: BTreeSet<&str> = FORMATS.iter().map(|format| format.name).collect();
    assert_eq!(tried, known);
    assert!(FORMATS.iter().all(|format| !format.sign.is_empty() && !format.advice.is_empty()));
    let there = fs::read_dir(folder()).expect("the folder");
    let there = there.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
    let files: BTreeSet<String> = FILES.iter().map(|(file, _)| (*file).to_owned()).collect();
    assert_eq!(files, there.filter(|file| file != "README.md").collect());
}

#[test]
fn ends_of_lines_do_not_matter() {
    for (file, name) in FILES {
        let format = FORMATS.iter().find(|format| format.name == name).expect("a format");
        let options = Options { uplinks: format.takes_uplinks().then_some(1), ..Options::default() };
        let text = fs::read_to_string(folder().join(file)).expect("a text");
        let [plain, other] = [text.clone(), text.replace('\n', "\r\n")]
            .map(|text| read(&text, &options, TableKind::Shortest).map(|fabric| fabric.graph));
        assert_eq!(plain.ok(), other.ok(), "{file}");
    }
}
