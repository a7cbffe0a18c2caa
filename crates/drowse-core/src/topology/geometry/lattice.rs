//! Switches that are joined with all others that differ from them in one coordinate: the generalised hypercube (Bhuyan
//! and Agrawal 1984), known as flattened butterfly (Kim et al. 2007) and, with parallel links, as `HyperX` (Ahn et al.
//! 2009).
//!
//! A switch has the coordinates of its number written in the mixed radix `dims`, the first dimension fastest. Its ports
//! are, for each dimension, the trunks to the other coordinates in their order.

use crate::model::ids::PortId;
use crate::topology::builder::NetworkBuilder;

/// The ports of a switch by the coordinates that they lead to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lattice {
    /// Switches in each dimension.
    pub dims: Vec<u32>,
    /// Parallel links between two switches that differ in this dimension only.
    pub widths: Vec<u32>,
    /// The product of the sizes of all dimensions before.
    strides: Vec<u32>,
    /// The first port of each dimension, relative to the switch's first, and one more entry.
    first: Vec<u32>,
}

impl Lattice {
    /// Lays out dimensions whose product of sizes fits 32 bits.
    pub fn new(dims: Vec<u32>, widths: Vec<u32>) -> Self {
        let (mut strides, mut first) = (vec![1], vec![0]);
        for (d, (&size, &width)) in dims.iter().zip(&widths).enumerate() {
            strides.push(strides[d] * size);
            first.push(first[d] + (size - 1) * width);
        }
        Lattice { dims, widths, strides, first }
    }

    /// Returns the number of switches.
    pub fn switches(&self) -> u32 {
        self.strides[self.dims.len()]
    }

    /// Returns the number of ports of a switch to others.
    pub fn ports(&self) -> u32 {
        self.first[self.dims.len()]
    }

    /// Returns a coordinate of a switch.
    #[inline]
    pub fn coordinate(&self, switch: u32, d: usize) -> u32 {
        switch / self.strides[d] % self.dims[d]
    }

    /// Returns the trunk of a switch, first port and number, to another coordinate than its own in a dimension.
    #[inline]
    pub fn trunk(&self, switch: u32, d: usize, coordinate: u32) -> (u32, u32) {
        let before = coordinate - u32::from(coordinate > self.coordinate(switch, d));
        (self.first[d] + before * self.widths[d], self.widths[d])
    }

    /// Returns the trunk of a switch towards another one, in the dimension that comes next from `start` on, and around.
    #[inline]
    pub fn towards(&self, at: u32, to: u32, start: usize) -> (u32, u32) {
        let n = self.dims.len();
        let differs = |d: &usize| self.coordinate(at, *d) != self.coordinate(to, *d);
        let d = (start..n).chain(0..start).find(differs).unwrap_or(0);
        self.trunk(at, d, self.coordinate(to, d))
    }

    /// Adds the ports of one switch, of class `first_class` in dimension 0 and so on.
    pub fn add_ports(&self, builder: &mut NetworkBuilder, class: impl Fn(usize, u32) -> u8) {
        for (d, &width) in self.widths.iter().enumerate() {
            for other in 0..(self.dims[d] - 1) * width {
                builder.add_port(class(d, other / width));
            }
        }
    }

    /// Joins the switches of a copy of the lattice whose first ports are given, link `i` of a trunk with link `i`.
    pub fn link(&self, builder: &mut NetworkBuilder, first_port: &[u32]) {
        for switch in 0..self.switches() {
            for d in 0..self.dims.len() {
                let x = self.coordinate(switch, d);
                for y in x + 1..self.dims[d] {
                    let other = switch + (y - x) * self.strides[d];
                    let (a, width) = self.trunk(switch, d, y);
                    let (b, _) = self.trunk(other, d, x);
                    for i in 0..width {
                        let ends = [(switch, a), (other, b)].map(|(s, port)| PortId(first_port[s as usize] + port + i));
                        builder.link(ends[0], ends[1]);
                    }
                }
            }
        }
    }
}
