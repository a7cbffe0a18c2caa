//! The networks: their links, and the path from a node to another.

/// A network of side x side x side nodes.
pub trait Network {
    /// Returns the number of nodes.
    fn nodes(&self) -> u32;
    /// Returns the number of links.
    fn links(&self) -> u32;
    /// Writes the links of the path from a node to another into `path`.
    fn route(&self, from: u32, to: u32, path: &mut Vec<u32>);
}

/// A torus of three dimensions with dimension-order routing. Node n has links 8n to 8n + 5 to its neighbours, 8n + 6 to
/// its switch and 8n + 7 from it.
pub struct Torus {
    pub side: u32,
}

impl Network for Torus {
    fn nodes(&self) -> u32 {
        self.side.pow(3)
    }

    fn links(&self) -> u32 {
        8 * self.nodes()
    }

    fn route(&self, from: u32, to: u32, path: &mut Vec<u32>) {
        path.clear();
        path.push(8 * from + 6);
        let mut at = from;
        for dimension in 0..3 {
            let stride = self.side.pow(dimension);
            let place = |node: u32| node / stride % self.side;
            let up = (place(to) + self.side - place(at)) % self.side;
            let is_up = 2 * up <= self.side;
            for _ in 0..up.min(self.side - up) {
                path.push(8 * at + 2 * dimension + u32::from(is_up));
                let next = (place(at) + if is_up { 1 } else { self.side - 1 }) % self.side;
                at = at - place(at) * stride + next * stride;
            }
        }
        path.push(8 * to + 7);
    }
}

/// A tree of three levels whose switches have `side` links up and down; the way up is given by the destination.
///
/// Links: up from nodes, up from the first and the second level, then down into the second and the first level, then
/// down to the nodes; as many of each as there are nodes.
pub struct Tree {
    pub side: u32,
}

impl Network for Tree {
    fn nodes(&self) -> u32 {
        self.side.pow(3)
    }

    fn links(&self) -> u32 {
        6 * self.nodes()
    }

    fn route(&self, from: u32, to: u32, path: &mut Vec<u32>) {
        let (side, nodes) = (self.side, self.nodes());
        path.clear();
        path.push(from);
        // The last digit of the destination chooses the way up at the first level, the middle one at the second.
        let (leaf, target) = (from / side, to / side);
        let (first, second) = (to % side, to / side % side);
        if leaf != target {
            path.push(nodes + leaf * side + first);
            let (pod, target_pod) = (leaf / side, target / side);
            if pod != target_pod {
                path.push(2 * nodes + (pod * side + first) * side + second);
                path.push(3 * nodes + (target_pod * side + first) * side + second);
            }
            path.push(4 * nodes + target * side + first);
        }
        path.push(5 * nodes + to);
    }
}
