//! The formats of networks that people have: what each is recognised by, and what becomes of it.
//!
//! The first whose sign a text has is its format; what has none is a list of edges. To read one that is refused, give
//! its line a reader.

mod adjacency;
mod astra;
mod attributed;
mod booksim;
mod columns;
pub(crate) mod dot;
pub(crate) mod edges;
mod gml;
pub(crate) mod graphml;
mod htsim;
mod infragraph;
mod metis;
mod nccl;
mod node_link;
mod ns3;
mod plan;
mod simgrid;
mod slurm;
mod table;
mod words;
mod xml;
mod xml_bounds;

use crate::infiniband::graph;
use crate::model::vertices::Vertices;
use crate::model::wrong::Wrong;
use crate::options::Options;
use crate::recognise::text::Text;
use crate::recognise::{infiniband, signs};

/// A format of files of networks.
pub struct Format {
    /// What it is called.
    pub name: &'static str,
    /// What a text of it is recognised by, in words.
    pub sign: &'static str,
    /// What to do with a file of it; where it is read, what is read of it.
    pub advice: &'static str,
    is: Sign,
    read: Reader,
}

/// Returns whether a text is of a format.
type Sign = fn(&Text<'_>) -> bool;
/// What reads a text of a format.
enum Reader {
    /// Nothing does.
    None,
    /// The file says all.
    Plain(Plain),
    /// What the caller says matters while the file is read.
    Asking(Asking),
    /// The file does not say how many links there are ([`Options::uplinks`]).
    Counting(Asking),
}

impl Format {
    /// Returns whether files of it are read; all others are refused by its name, with the advice.
    pub fn is_read(&self) -> bool {
        !matches!(self.read, Reader::None)
    }

    /// Returns whether files of it do not say how many links there are, so that [`Options::uplinks`] must.
    pub fn takes_uplinks(&self) -> bool {
        matches!(self.read, Reader::Counting(_))
    }

    /// Reads a text of it, or refuses the format by its name.
    pub(crate) fn parse(&self, text: &str, options: &Options) -> Result<Vertices, Wrong> {
        let first = || {
            let start = text.len() - text.trim_start().len();
            start..text[start..].find('\n').map_or(text.len(), |end| start + end)
        };
        if options.uplinks.is_some() && matches!(self.read, Reader::Plain(_) | Reader::Asking(_)) {
            let message = format!("this is {}, which says itself how many links there are", self.name);
            return Err(Wrong::new(&first(), message, "remove `uplinks` from [network]"));
        }
        match self.read {
            Reader::Plain(read) => read(text),
            Reader::Asking(read) | Reader::Counting(read) => read(text, options),
            Reader::None => {
                let message = format!("this is {}, which is not read here", self.name);
                Err(Wrong::new(&first(), message, self.advice))
            }
        }
    }
}

/// Returns the format of a text.
pub(crate) fn of(text: &str) -> &'static Format {
    let text = Text::new(text);
    FORMATS.iter().find(|format| (format.is)(&text)).unwrap_or(&FORMATS[0])
}

/// A reader of files that say all.
type Plain = fn(&str) -> Result<Vertices, Wrong>;
/// A reader that asks what the caller says.
type Asking = fn(&str, &Options) -> Result<Vertices, Wrong>;

const fn format(name: &'static str, sign: &'static str, advice: &'static str, is: Sign, read: Reader) -> Format {
    Format { name, sign, advice, is, read }
}

const fn read(name: &'static str, sign: &'static str, what: &'static str, is: Sign, read: Plain) -> Format {
    format(name, sign, what, is, Reader::Plain(read))
}

const fn asking(name: &'static str, sign: &'static str, what: &'static str, is: Sign, read: Asking) -> Format {
    format(name, sign, what, is, Reader::Asking(read))
}

const fn counting(name: &'static str, sign: &'static str, what: &'static str, is: Sign, read: Asking) -> Format {
    format(name, sign, what, is, Reader::Counting(read))
}

const fn refused(name: &'static str, sign: &'static str, advice: &'static str, is: Sign) -> Format {
    format(name, sign, advice, is, Reader::None)
}

/// All formats, those first whose sign others have, too. The first stands for what has no sign.
#[rustfmt::skip]
pub const FORMATS: &[Format] = &[
    read("a list of edges", "a line each: `A B`, `switch A`, `node N A`", "all of it is read", edges::has_header, edges::parse),
    read("GraphML", "the element `<graphml>`", "undirected graphs; those of the Internet Topology Zoo", signs::graphml, graphml::parse),
    read("DOT (Graphviz)", "`graph NAME {`", "undirected graphs without subgraphs", signs::dot, dot::parse),
    read("output of ibnetdiscover", "`# Topology file`, or `Switch 36 \"S-...\"`", "switches, hosts, cables with rates, names, ports and LIDs; also with -g or -f",
        infiniband::ibnetdiscover, graph),
    read("output of ibnetdiscover -p", "lines `SW 2 1 0x... 4x HDR - CA ...`", "ports with names, LIDs and rates; LMCs are not there", infiniband::ports, graph),
    read("output of iblinkinfo", "`==(` and `)==>`", "ports with names, LIDs and rates, without the option -l; LMCs are not there", infiniband::link_info, graph),
    refused("a database of ibdiagnet (ibdiagnet2.db_csv)", "`START_NODES`", "let ibnetdiscover print the fabric: ibnetdiscover >x.topo", infiniband::ibdiagnet),
    refused("a dump of multicast tables", "`Multicast mlids [`", "they say no cables: take the output of ibnetdiscover", infiniband::multicast),
    refused("a dump of tables by OpenSM (LFT, SL, hops)", "`Unicast lids [`, `dump_ucast_routes:`, `Switch 0x..., base LID`",
        "tables say no cables: name the output of ibnetdiscover here", infiniband::tables),
    read("a list of links by OpenSM (opensm-subnet.lst)", "lines `{ SW Ports:24 ...`", "ports with names, LIDs and rates; LMCs are not there", infiniband::links, graph),
    read("input of ibsim", "lines `Switch 36 \"leaf1\"`", "switches, hosts, cables; no modules and aliases", infiniband::ibsim, graph),
    asking("a SimGrid platform", "the element `<platform>`",
        "clusters, and zones whose routes name their hops", simgrid::sign, simgrid::parse),
    asking("a topology of NCCL", "the elements `<system>` and `<cpu>`", "the inside of one server", nccl::sign, nccl::parse),
    refused("a GEXF graph", "the element `<gexf>`",
        "convert it: networkx.write_graphml(networkx.read_gexf(FILE), \"graph.graphml\")", signs::gexf),
    refused("an SST network in SDL", "the element `<sdl>`", "write merlin's topology as [network], such as kind = \"dragonfly\"", signs::sst_sdl),
    refused("an SNDlib network", "`?SNDlib native format`, or the element `<networkStructure>`",
        "take its GraphML from sndlib.zib.de, or write its links as a list of edges", signs::sndlib),
    refused("XML of another kind", "`<` at the beginning", "write GraphML, DOT or a list of edges", signs::xml),
    counting("Slurm's topology.conf", "`SwitchName=`, `RingName=` or `BlockName=`",
        "trees and rings, with `uplinks` for the links that it does not count", slurm::conf::sign, slurm::conf::parse),
    counting("Slurm's topology.yaml", "`- topology:` and `tree:`, `ring:`, `torus3d:` or `block:`",
        "trees, rings and tori, with `uplinks` for the links that it does not count", slurm::yaml::sign, slurm::yaml::parse),
    read("an anynet file of BookSim", "`router 0 router 1`, `router 0 node 0`",
        "links that are alike in both directions; latencies in cycles are classes", booksim::sign, booksim::parse),
    refused("settings of BookSim", "`topology = torus;` and the like", "write topology, k and n as [network], such as kind = \"torus\"", signs::booksim_settings),
    refused("a connection matrix of htsim", "lines `Nodes 8` and `Connections 8`",
        "it says who sends, not which links there are: write the network as [network], the flows as a trace", signs::htsim_connections),
    asking("a topology of htsim", "lines `Nodes 8` and `Tiers 3`", "fat trees of two or three tiers", htsim::sign, htsim::parse),
    asking("an analytical network of ASTRA-sim", "`topology:` and `npus_count:`",
        "all of it is read", astra::sign, astra::parse),
    asking("an analytical network of ASTRA-sim in JSON", "JSON with `\"topology\"` and `\"npus_count\"`",
        "all of it is read", astra::sign_of_json, astra::parse_json),
    refused("an analytical network of ASTRA-sim's first version", "JSON with `\"topology-name\"` or `\"topologies-per-dim\"`",
        "write it as ASTRA-sim does since version 2: topology, npus_count, bandwidth and latency, a list each", signs::astra_sim_old),
    asking("a topology of ns-3 (HPCC, ASTRA-sim, SimAI)", "three or six words, then lines `0 2 100Gbps 0.0005ms 0`",
        "all of it is read; nothing is lost", ns3::sign, ns3::parse),
    asking("a network of InfraGraph", "`infrastructure:`, or `instances:` and `edges:`",
        "instances as hosts and switches, without their insides", infragraph::sign, infragraph::parse),
    asking("a network of InfraGraph in JSON", "JSON with `\"instances\"` and `\"edges\"` or `\"connections\"`",
        "instances as hosts and switches, without their insides", infragraph::sign_of_json, infragraph::parse_json),
    refused("settings of CODES", "`LPGROUPS {` or `PARAMS {`",
        "write the model of PARAMS as [network]: kind = \"dragonfly\", \"dragonfly-plus\", \"torus\", \"xgft\" or \"slim-fly\"", signs::codes),
    refused("settings of CODES in YAML", "`schema_version:` and `topology:`",
        "write its fabric as [network]: kind = \"dragonfly\", \"dragonfly-plus\", \"torus\", \"xgft\" or \"slim-fly\"", signs::codes_yaml),
    refused("a network of SST in Python", "`import sst`", "write merlin's topology as [network], such as kind = \"dragonfly\"", signs::sst),
    refused("a program in Python", "`import ...`", "let it write its graph: networkx.write_graphml(graph, \"graph.graphml\")", signs::python),
    refused("settings of SuperSim", "JSON with `\"network\"`, `\"topology\"`, `\"workload\"`",
        "write network.topology as [network], such as kind = \"hyperx\"", signs::supersim),
    refused("a network of SST in JSON", "JSON with `\"components\"` and `\"links\"`",
        "write merlin's topology as [network], such as kind = \"dragonfly\"", signs::sst_json),
    refused("a graph of Cytoscape in JSON", "JSON with `\"elements\"` and `\"nodes\"`",
        "convert it: networkx.write_graphml(networkx.cytoscape_graph(json.load(open(FILE))), \"graph.graphml\")", signs::cytoscape),
    refused("adjacency data in JSON", "JSON with `\"adjacency\"` and `\"nodes\"`",
        "convert it: networkx.write_graphml(networkx.adjacency_graph(json.load(open(FILE))), \"graph.graphml\")", signs::adjacency_json),
    read("a node-link graph in JSON", "JSON with `\"nodes\"` and `\"links\"` or `\"edges\"`",
        "undirected graphs, and directed ones whose edges lead both ways", node_link::sign, node_link::parse),
    refused("JSON of another kind", "`{` or `[` at the beginning", "write GraphML, DOT or a list of edges", signs::json),
    read("GML", "`graph [`", "undirected graphs, and directed ones whose edges lead both ways", gml::sign, gml::parse),
    refused("a list of edges with data by networkx", "lines `0 1 {}`",
        "write it without: networkx.write_edgelist(graph, FILE, data=False)", signs::networkx_edges),
    refused("a Pajek network", "`*Vertices`",
        "convert it: networkx.write_edgelist(networkx.Graph(networkx.read_pajek(FILE)), \"graph.txt\", data=False)", signs::pajek),
    refused("a LEDA graph", "`LEDA.GRAPH`",
        "convert it: networkx.write_edgelist(networkx.read_leda(FILE), \"graph.txt\", data=False)", signs::leda),
    refused("a Matrix Market file", "`%%MatrixMarket`",
        "convert it: networkx.write_edgelist(networkx.from_scipy_sparse_array(scipy.io.mmread(FILE)), \"graph.txt\", data=False)", signs::matrix_market),
    refused("a DIMACS graph", "`p edge 4 5`", "write `A B` for each `e A B`, and nothing else", signs::dimacs),
    refused("graph6 or sparse6", "`>>graph6<<`",
        "convert it: networkx.write_edgelist(networkx.read_graph6(FILE), \"graph.txt\", data=False)", signs::graph6),
    refused("a UCINET DL file", "`dl n=`", "write its links as a list of edges: A B, once for each pair", signs::ucinet),
    read("a METIS graph", "numbers of vertices and edges, then the neighbours of each vertex", "all of it is read; weights are refused", metis::sign, metis::parse),
    refused("a Trivial Graph Format file", "vertices and their labels, a line `#`, edges",
        "keep the edges alone, one a line: A B; if all lines are edges, remove the line `#`", signs::trivial),
    read("a table with separators or names of columns", "commas or semicolons, or a first line such as `source target`",
        "links, by columns that the first line names", table::sign, table::parse),
    read("an adjacency list", "a line for each vertex, with its neighbours", "all of it is read", adjacency::sign, adjacency::parse),
];
