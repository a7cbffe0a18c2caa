//! Writes a large InfiniBand fabric, to measure readers and checks: `large K FOLDER [names]`.
//!
//! A fat tree of three levels of switches with K ports (Al-Fares et al. 2008): K^3/4 hosts, routed by destination. The
//! files are those of `ibnetdiscover` and `dump_fts -n`, with `names` those of `dump_fts`. With K = 36 there are 11,664
//! hosts and 1,620 switches.

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

/// A fat tree of switches with `2 * half` ports. Switches are numbered leaves first, then the second level, then the
/// cores; hosts follow them. A LID is a number plus one.
#[derive(Clone, Copy)]
struct Tree {
    half: usize,
}

/// An end of a cable: a device and its port.
type End = (usize, usize);

impl Tree {
    fn edge(self) -> usize {
        2 * self.half * self.half
    }

    fn switches(self) -> usize {
        2 * self.edge() + self.half * self.half
    }

    fn hosts(self) -> usize {
        self.edge() * self.half
    }

    /// Returns the cables: hosts to leaves, leaves to the second level, that to the cores.
    fn cables(self) -> Vec<(End, End)> {
        let Tree { half } = self;
        let mut cables = Vec::new();
        for leaf in 0..self.edge() {
            let (pod, place) = (leaf / half, leaf % half);
            for port in 0..half {
                cables.push(((leaf, port + 1), (self.switches() + leaf * half + port, 1)));
                let second = self.edge() + pod * half + port;
                cables.push(((leaf, half + port + 1), (second, place + 1)));
                let core = 2 * self.edge() + place * half + port;
                cables.push(((self.edge() + leaf, half + port + 1), (core, pod + 1)));
            }
        }
        cables
    }

    /// Returns the output of a switch for a host, 0 where it is itself the destination; nothing where only a way down
    /// and up would lead to a switch.
    fn port(self, switch: usize, to: usize) -> Option<usize> {
        let Tree { half } = self;
        let edge = self.edge();
        if switch == to {
            return Some(0);
        }
        // What lies below a leaf; to the leaves themselves routes go as to their first hosts.
        let host = if to >= self.switches() { to - self.switches() } else { to * half };
        let leaf = host / half;
        match (switch, to) {
            (_, to) if (edge..self.switches()).contains(&to) => self.port_to_upper(switch, to),
            (own, _) if own < edge && own == leaf => Some(host % half + 1),
            (own, _) if own < edge => Some(half + host % half + 1),
            (own, _) if own < 2 * edge && (own - edge) / half == leaf / half => Some(leaf % half + 1),
            (own, _) if own < 2 * edge => Some(half + leaf % half + 1),
            _ => Some(leaf / half + 1),
        }
    }

    /// Returns the output for a switch above the leaves.
    fn port_to_upper(self, switch: usize, to: usize) -> Option<usize> {
        let Tree { half } = self;
        let edge = self.edge();
        let (pod, place) =
            if to < 2 * edge { ((to - edge) / half, (to - edge) % half) } else { (usize::MAX, (to - 2 * edge) / half) };
        let core = if to < 2 * edge { 0 } else { (to - 2 * edge) % half };
        match switch {
            leaf if leaf < edge => Some(half + place + 1),
            second if second < 2 * edge => ((second - edge) % half == place).then_some(half + core + 1),
            core => (pod != usize::MAX && (core - 2 * edge) / half == place).then(|| pod + 1),
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [ports, folder, more @ ..] = &words[..] else { return Err("name the ports of switches and a folder".into()) };
    let ports: usize = ports.parse()?;
    if !(2..=48).contains(&ports) || !ports.is_multiple_of(2) {
        return Err("switches have an even number of ports, 2 to 48".into());
    }
    let tree = Tree { half: ports / 2 };
    topology(tree, BufWriter::new(File::create(Path::new(folder).join("large.topo"))?))?;
    tables(tree, !more.is_empty(), BufWriter::new(File::create(Path::new(folder).join("large.lft"))?))?;
    Ok(())
}

fn topology(tree: Tree, mut out: impl Write) -> Result<(), Box<dyn Error>> {
    let mut of_device: Vec<Vec<(usize, End)>> = vec![Vec::new(); tree.switches() + tree.hosts()];
    for (a, b) in tree.cables() {
        of_device[a.0].push((a.1, b));
        of_device[b.0].push((b.1, a));
    }
    writeln!(out, "#\n# Topology file: generated on Mon Nov 30 07:00:00 2026\n#")?;
    for (device, cables) in of_device.iter().enumerate() {
        let (is_host, lid) = (device >= tree.switches(), device + 1);
        let key = |device: usize| {
            if device < tree.switches() {
                format!("S-{:016x}", guid(device))
            } else {
                format!("H-{:016x}", guid(device))
            }
        };
        if is_host {
            writeln!(out, "\ncaguid=0x{:x}\nCa\t1 \"{}\"\t\t# \"{}\"", guid(device), key(device), name(tree, device))?;
        } else {
            let (ports, key, name) = (2 * tree.half, key(device), name(tree, device));
            writeln!(
                out,
                "\nswitchguid=0x{0:x}({0:x})\n\
                 Switch\t{ports} \"{key}\"\t\t# \"{name}\" enhanced port 0 lid {lid} lmc 0",
                guid(device)
            )?;
        }
        for &(port, (peer, peer_port)) in cables {
            let own = if is_host { format!("({:x}) ", guid(device) + 1) } else { String::new() };
            let there = if peer >= tree.switches() { format!("({:x}) ", guid(peer) + 1) } else { String::new() };
            let lids = if is_host { format!("lid {lid} lmc 0 ") } else { String::new() };
            writeln!(
                out,
                "[{port}]{own}\t\"{}\"[{peer_port}]{there}\t\t# {lids}\"{}\" lid {} 4xNDR",
                key(peer),
                name(tree, peer),
                peer + 1
            )?;
        }
    }
    Ok(())
}

fn tables(tree: Tree, with_names: bool, mut out: impl Write) -> Result<(), Box<dyn Error>> {
    let all = tree.switches() + tree.hosts();
    let names: Vec<String> = (0..all).map(|device| name(tree, device)).collect();
    for switch in 0..tree.switches() {
        // The highest LID stands lower than that of the head, as where a subnet has had more.
        let top = all + 1 + usize::from((all + 1).is_multiple_of(64));
        writeln!(
            out,
            "Unicast lids [0x0-0x{top:x}] of switch Lid {} guid 0x{:016x} ({}):",
            switch + 1,
            guid(switch),
            names[switch]
        )?;
        writeln!(out, "  Lid  Out   Destination\n       Port     Info ")?;
        let mut count = 0;
        for (to, name) in names.iter().enumerate() {
            let Some(port) = tree.port(switch, to) else { continue };
            count += 1;
            if with_names {
                let kind = if to < tree.switches() { "Switch" } else { "Channel Adapter" };
                writeln!(out, "0x{:04x} {port:03} : ({kind} portguid 0x{:016x}: '{}')", to + 1, guid(to), name)?;
            } else {
                writeln!(out, "0x{:04x} {port:03} ", to + 1)?;
            }
        }
        writeln!(out, "{count} valid lids dumped ")?;
    }
    Ok(())
}

fn guid(device: usize) -> usize {
    0x9803_9b03_0000_0000 + 16 * device
}

fn name(tree: Tree, device: usize) -> String {
    match device.checked_sub(tree.switches()) {
        Some(host) => format!("node{:05} mlx5_0", host + 1),
        None if device < tree.edge() => format!("MF0;leaf{:03}:MQM9700/U1", device + 1),
        None if device < 2 * tree.edge() => format!("MF0;second{:03}:MQM9700/U1", device + 1 - tree.edge()),
        None => format!("MF0;core{:03}:MQM9700/U1", device + 1 - 2 * tree.edge()),
    }
}
