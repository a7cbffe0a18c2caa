//! The neighbours of each switch of a graph, and the ports to them.

/// Parallel links between two switches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trunk {
    /// The switches.
    pub ends: [u32; 2],
    /// The class, by its place in the classes of the graph.
    pub class: u8,
    /// How many links.
    pub links: u32,
}

/// A neighbour of a switch, and the links to it: ports side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Neighbour {
    /// The neighbour.
    pub to: u32,
    /// The first port, relative to the switch's first.
    pub port: u16,
    /// How many.
    pub links: u16,
}

/// The neighbours of all switches.
#[derive(Clone, Debug)]
pub struct Adjacency {
    /// The first neighbour of each switch, and one more entry.
    first: Vec<u32>,
    neighbours: Vec<Neighbour>,
}

impl Adjacency {
    /// Lays out a graph.
    pub fn new(switches: usize, trunks: &[Trunk]) -> Self {
        let mut adjacency = Adjacency { first: vec![0], neighbours: Vec::new() };
        for of_switch in trunks_in_order(switches, trunks) {
            let (begin, mut port) = (adjacency.neighbours.len(), 0);
            for (number, side) in of_switch {
                let trunk = &trunks[number];
                let (to, links) = (trunk.ends[1 - side], trunk.links as u16);
                match adjacency.neighbours[begin..].last_mut() {
                    Some(last) if last.to == to => last.links += links,
                    _ => adjacency.neighbours.push(Neighbour { to, port, links }),
                }
                port += links;
            }
            adjacency.first.push(adjacency.neighbours.len() as u32);
        }
        adjacency
    }

    /// Returns the number of switches.
    pub fn switches(&self) -> u32 {
        self.first.len() as u32 - 1
    }

    /// Returns the neighbours of a switch, each once.
    #[inline]
    pub fn of(&self, switch: u32) -> &[Neighbour] {
        &self.neighbours[self.first[switch as usize] as usize..self.first[switch as usize + 1] as usize]
    }

    /// Returns the number of links of a switch to others.
    pub fn links(&self, switch: u32) -> u32 {
        self.of(switch).iter().map(|neighbour| u32::from(neighbour.links)).sum()
    }

    /// Finds the distances of all switches from some, which stand in `found` at first and in the order of their
    /// distance in the end; [`FAR`] where there is no path.
    pub fn search(&self, found: &mut Vec<u32>, distance: &mut [u32]) {
        distance.fill(FAR);
        found.iter().for_each(|&switch| distance[switch as usize] = 0);
        let mut next = 0;
        // Where paths are short, most of the time would be spent on links between switches that have all been found.
        while let Some(&at) = found.get(next).filter(|_| found.len() < distance.len()) {
            next += 1;
            for neighbour in self.of(at) {
                if distance[neighbour.to as usize] == FAR {
                    distance[neighbour.to as usize] = distance[at as usize] + 1;
                    found.push(neighbour.to);
                }
            }
        }
    }
}

/// No path.
pub const FAR: u32 = u32::MAX;

/// Returns the trunks of each switch, by number and which of their ends is there, those to one neighbour side by side.
pub fn trunks_in_order(switches: usize, trunks: &[Trunk]) -> Vec<Vec<(usize, usize)>> {
    let mut of_switch: Vec<Vec<(usize, usize)>> = vec![Vec::new(); switches];
    for (number, trunk) in trunks.iter().enumerate() {
        (0..2).for_each(|side| of_switch[trunk.ends[side] as usize].push((number, side)));
    }
    // In which place among the neighbours of the switch at hand each switch came first.
    let mut place = vec![usize::MAX; switches];
    for own in &mut of_switch {
        let neighbour = |&(number, side): &(usize, usize)| trunks[number].ends[1 - side] as usize;
        for (order, trunk) in own.iter().enumerate().rev() {
            place[neighbour(trunk)] = order;
        }
        own.sort_by_key(|trunk| place[neighbour(trunk)]);
    }
    of_switch
}

/// Returns the first port of each trunk at both ends, relative to the first of the switch there.
pub fn first_ports(switches: usize, trunks: &[Trunk]) -> Vec<[u16; 2]> {
    let mut first = vec![[0; 2]; trunks.len()];
    for of_switch in trunks_in_order(switches, trunks) {
        let mut port = 0;
        for (number, side) in of_switch {
            first[number][side] = port;
            port += trunks[number].links as u16;
        }
    }
    first
}

/// A port of a switch that has a link to another: the switch, and the port relative to its first.
pub type Plug = (u32, u16);

/// Returns where the links of each switch end, by port.
pub fn far_ends(switches: usize, trunks: &[Trunk]) -> Vec<Vec<Plug>> {
    let mut ends: Vec<Vec<Plug>> = vec![Vec::new(); switches];
    trunks.iter().zip(first_ports(switches, trunks)).for_each(|(trunk, first)| {
        for (side, other) in [(0, 1), (1, 0)] {
            let of_switch = &mut ends[trunk.ends[side] as usize];
            let last = usize::from(first[side]) + trunk.links as usize;
            of_switch.resize(of_switch.len().max(last), (0, 0));
            for link in 0..trunk.links as u16 {
                of_switch[usize::from(first[side] + link)] = (trunk.ends[other], first[other] + link);
            }
        }
    });
    ends
}
