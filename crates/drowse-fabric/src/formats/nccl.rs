//! Topologies of NCCL (`NCCL_TOPO_DUMP_FILE`): what joins the GPUs and NICs of one server, as a network of its own.
//!
//! GPUs and NICs are compute nodes; PCI switches, NVLink switches and the CPUs (NUMA domains) are switches. Bandwidths
//! are those that NCCL counts with (`src/graph/topo.h`, `topo.cc`): of a PCI link by its width and speed, of an NVLink
//! by the GPU's compute capability, between CPUs by their make. The links of NICs to the outside are no part of it.

use std::collections::HashMap;
use std::ops::Range;

use drowse_core::model::units::BitRate;
use roxmltree::Node;

use super::plan::{Cable, Plan};
use super::xml::{self, optional, required, start};
use crate::model::vertices::Vertices;
use crate::model::wrong::{Word, Wrong, number, shown};
use crate::options::Options;
use crate::recognise::text::Text;

/// 10 MB/s, in which NCCL's numbers of GB/s are whole.
const UNIT: u64 = 80_000_000;

/// The element `<system>` with `<cpu>` in it.
pub(crate) fn sign(text: &Text<'_>) -> bool {
    text.root() == Some("system") && text.whole.contains("<cpu")
}

/// Reads a topology.
pub(crate) fn parse(text: &str, options: &Options) -> Result<Vertices, Wrong> {
    let document = xml::document(text, false, "write what NCCL_TOPO_DUMP_FILE gets")?;
    let mut server = Server { plan: Plan::new("GPUs and NICs"), ..Server::default() };
    for element in elements(document.root_element()) {
        if element.tag_name().name() != "cpu" {
            return Err(xml::not_read(element, "a <system> has <cpu> elements"));
        }
        server.cpu(element)?;
    }
    server.join_cpus()?;
    server.join_nvlinks()?;
    let Server { plan, outside, left_out, .. } = server;
    let mut vertices = plan.finish(options.speed)?;
    vertices.note("bandwidths are those that NCCL counts with, which are below those of the hardware");
    if outside > 0 {
        vertices.note(format!("ports of NICs to the network outside, which is no part of this one: {outside}"));
    }
    if left_out > 0 {
        vertices.note(format!(
            "PCI devices that are neither GPU, NIC nor switch, and links beside the tree (pcilink)\
            , which are left out: {left_out}"
        ));
    }
    Ok(vertices)
}

/// A server while it is read.
#[derive(Default)]
struct Server {
    plan: Plan,
    /// The CPUs: their places in the plan, bandwidth to others, and where they stand.
    cpus: Vec<(usize, BitRate, Range<usize>)>,
    /// GPUs by the bus id of their device.
    gpus: HashMap<String, usize>,
    names: HashMap<String, Range<usize>>,
    nvlinks: Vec<NvLink>,
    host: Option<String>,
    outside: usize,
    left_out: usize,
}

/// NVLinks of a GPU.
struct NvLink {
    gpu: usize,
    /// The CPU that the GPU is below.
    cpu: usize,
    target: String,
    class: String,
    cable: Cable,
    span: Range<usize>,
}

impl Server {
    fn cpu(&mut self, element: Node<'_, '_>) -> Result<(), Wrong> {
        let (id, span) = required(element, "numaid")?;
        let host = optional(element, "host_hash").map_or("", |(host, _)| host);
        if self.host.get_or_insert_with(|| host.to_owned()) != host {
            let message = "this file is of several servers";
            return Err(Wrong::new(&start(element), message, "keep the <cpu> elements of one host_hash"));
        }
        let cpu = self.add(&format!("cpu{id}"), &span, false)?;
        self.cpus.push((cpu, between_cpus(element)?, span));
        self.below(element, cpu, cpu)
    }

    /// Reads what is below a CPU or a PCI switch.
    fn below(&mut self, element: Node<'_, '_>, parent: usize, cpu: usize) -> Result<(), Wrong> {
        for inner in elements(element) {
            match inner.tag_name().name() {
                "pci" => self.pci(inner, parent, cpu)?,
                // NICs that are part of the CPU.
                "nic" => {
                    let cable = Cable { links: 1, bandwidth: Some(BitRate(500_000 * UNIT)), latency: None };
                    self.nic(inner, parent, cable)?;
                }
                "pcilink" => self.left_out += 1,
                _ => return Err(xml::not_read(inner, "below a <cpu> are <pci>, <nic> and, in these, <gpu> and <net>")),
            }
        }
        Ok(())
    }

    fn pci(&mut self, element: Node<'_, '_>, parent: usize, cpu: usize) -> Result<(), Wrong> {
        let (id, span) = required(element, "busid")?;
        let cable = Cable { links: 1, bandwidth: Some(of_pci(element)?), latency: None };
        let has = |name: &'static str| elements(element).filter(move |inner| inner.tag_name().name() == name);
        if let Some(gpu) = has("gpu").next() {
            if let Some(second) = has("gpu").nth(1) {
                return Err(Wrong::new(
                    &start(second),
                    "this device has several GPUs",
                    "parts of GPUs are not read here",
                ));
            }
            return self.gpu(gpu, id, parent, cpu, cable);
        }
        if let Some(nic) = has("nic").next() {
            return self.nic(nic, parent, cable);
        }
        let class = required(element, "class")?.0;
        if class.starts_with("0x02") || class.starts_with("0x03") || elements(element).next().is_none() {
            self.left_out += 1;
            return Ok(());
        }
        let switch = self.add(&format!("pci-{id}"), &span, false)?;
        self.plan.link([switch, parent], &span, cable)?;
        self.below(element, switch, cpu)
    }

    fn gpu(&mut self, element: Node<'_, '_>, id: &str, parent: usize, cpu: usize, cable: Cable) -> Result<(), Wrong> {
        let (device, span) = required(element, "dev")?;
        let gpu = self.add(&format!("gpu{device}"), &span, true)?;
        self.gpus.insert(id.to_ascii_lowercase(), gpu);
        self.plan.link([gpu, parent], &span, cable)?;
        let capability = number(&required(element, "sm")?, "a compute capability", 10, 999)?;
        for inner in elements(element) {
            let links = || number(&required(inner, "count")?, "links", 1, 4096);
            match inner.tag_name().name() {
                "nvlink" => {
                    let cable = Cable { links: links()?, bandwidth: Some(of_nvlink(capability)), latency: None };
                    let ((target, span), class) = (required(inner, "target")?, required(inner, "tclass")?.0.to_owned());
                    self.nvlinks.push(NvLink { gpu, cpu, target: target.to_ascii_lowercase(), class, cable, span });
                }
                "c2c" => {
                    let megabytes = number(&required(inner, "bw")?, "MB/s", 1, 100_000_000)?;
                    let bandwidth = Some(BitRate(u64::from(megabytes) * 8_000_000));
                    self.plan.link([gpu, cpu], &start(inner), Cable { links: links()?, bandwidth, latency: None })?;
                }
                _ => return Err(xml::not_read(inner, "a <gpu> has <nvlink> and <c2c>")),
            }
        }
        Ok(())
    }

    /// Adds a NIC, which is called as its first port is.
    fn nic(&mut self, element: Node<'_, '_>, parent: usize, cable: Cable) -> Result<(), Wrong> {
        let ports = || elements(element).filter(|inner| inner.tag_name().name() == "net");
        self.outside += ports().count();
        let named = ports().find_map(|port| optional(port, "name"));
        let (name, span) = named.unwrap_or(("", start(element)));
        let name = if name.is_empty() { format!("nic{}", self.names.len()) } else { name.to_owned() };
        let nic = self.add(&name, &span, true)?;
        self.plan.link([nic, parent], &span, cable)
    }

    /// Adds a part of the server by its name.
    fn add(&mut self, name: &str, span: &Range<usize>, is_host: bool) -> Result<usize, Wrong> {
        if self.names.insert(name.to_owned(), span.clone()).is_some() {
            let message = format!("two parts of this server are called `{}`", shown(name));
            return Err(Wrong::new(span, message, "keep the parts of one server, each once"));
        }
        self.plan.add(name, span, is_host)
    }

    /// Joins every two CPUs.
    fn join_cpus(&mut self) -> Result<(), Wrong> {
        for (at, (cpu, bandwidth, span)) in self.cpus.iter().enumerate() {
            for (other, other_bandwidth, _) in &self.cpus[at + 1..] {
                let bandwidth = Some(*bandwidth.min(other_bandwidth));
                self.plan.link([*cpu, *other], span, Cable { links: 1, bandwidth, latency: None })?;
            }
        }
        Ok(())
    }

    /// Joins GPUs with NVLink switches, CPUs, and each other, each of which says the same links.
    fn join_nvlinks(&mut self) -> Result<(), Wrong> {
        let mut direct: HashMap<[usize; 2], (u32, usize)> = HashMap::new();
        let mut switches: HashMap<String, usize> = HashMap::new();
        for NvLink { gpu, cpu, target, class, cable, span } in std::mem::take(&mut self.nvlinks) {
            if class.starts_with("0x03") {
                let Some(&other) = self.gpus.get(&target).filter(|&&other| other != gpu) else {
                    let message = format!("there is no other GPU at `{}`", shown(&target));
                    return Err(Wrong::new(&span, message, "targets are bus ids of GPUs of this file"));
                };
                let pair = [gpu.min(other), gpu.max(other)];
                match direct.insert(pair, (cable.links, gpu)) {
                    None => self.plan.link([gpu, other], &span, cable)?,
                    Some((links, from)) if links == cable.links && from != gpu => {}
                    Some(_) => {
                        let message = "the two GPUs of this link say different numbers of links";
                        return Err(Wrong::new(
                            &span,
                            message,
                            "write each pair once at both GPUs, with the same count",
                        ));
                    }
                }
                continue;
            }
            let remote = match switches.get(&target) {
                _ if class == "0x068001" => cpu,
                Some(&switch) => switch,
                None => {
                    let switch = self.add(&format!("nvswitch-{target}"), &span, false)?;
                    switches.insert(target, switch);
                    switch
                }
            };
            self.plan.link([gpu, remote], &span, cable)?;
        }
        Ok(())
    }
}

/// Returns the elements right below another.
fn elements<'d, 'i>(node: Node<'d, 'i>) -> impl Iterator<Item = Node<'d, 'i>> {
    node.children().filter(Node::is_element)
}

/// Returns the bandwidth of a device's PCI link; 16 lanes where the width is 0, as NCCL has it.
fn of_pci(element: Node<'_, '_>) -> Result<BitRate, Wrong> {
    /// 100 Mb/s of a lane by its speed.
    const LANES: [(&str, u64); 7] =
        [("2.5", 15), ("5", 30), ("5.0", 30), ("8", 60), ("16", 120), ("32", 240), ("64", 480)];
    let width = match number(&required(element, "link_width")?, "lanes", 0, 64)? {
        0 => 16,
        width => u64::from(width),
    };
    let speed: Option<Word<'_>> = optional(element, "link_speed");
    let lane = match &speed {
        // NCCL takes the third generation where no speed is known.
        None => 60,
        Some((text, span)) => {
            let speed = text.split(" GT/s").next().unwrap_or_default();
            let plain = speed.strip_suffix(".0").unwrap_or(speed);
            let known = LANES.iter().find(|(name, _)| *name == plain).map(|(_, lane)| *lane);
            known.ok_or_else(|| {
                let message = format!("`{}` is no speed of PCI that NCCL knows", shown(text));
                Wrong::new(span, message, "write 2.5, 5, 8, 16, 32 or 64 GT/s")
            })?
        }
    };
    Ok(BitRate(width * lane * 100_000_000))
}

/// Returns the bandwidth of an NVLink of a GPU of this compute capability.
fn of_nvlink(capability: u32) -> BitRate {
    BitRate(
        UNIT * match capability {
            100.. => 4010,
            90.. => 2060,
            86 => 1200,
            70.. => 2000,
            60.. => 1800,
            _ => 2000,
        },
    )
}

/// Returns the bandwidth from a CPU to another.
fn between_cpus(element: Node<'_, '_>) -> Result<BitRate, Wrong> {
    let (arch, place) = required(element, "arch")?;
    let family = || number(&required(element, "familyid")?, "a family", 0, u32::MAX - 1);
    let model = || number(&required(element, "modelid")?, "a model", 0, u32::MAX - 1);
    let gigabytes = match (arch, optional(element, "vendor").map(|(vendor, _)| vendor)) {
        ("ppc64", _) => 32,
        ("arm64", _) => 6,
        ("x86_64", Some("GenuineIntel")) => match (family()?, model()?) {
            (6, 0xCF..) => 40,
            (6, 0x8F..) => 22,
            (6, 0x55..) => 10,
            _ => 6,
        },
        ("x86_64", Some("AuthenticAMD")) => 16,
        ("x86_64", Some("CentaurHauls" | "  Shanghai  ")) => {
            if (family()?, model()?) == (7, 0x5B) {
                9
            } else {
                6
            }
        }
        _ => {
            let message = format!("NCCL knows no bandwidth between CPUs of `{}`", shown(arch));
            return Err(Wrong::new(&place, message, "write arch x86_64, arm64 or ppc64, and the vendor"));
        }
    };
    Ok(BitRate(gigabytes * 100 * UNIT))
}
