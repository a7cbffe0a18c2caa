//! `HyperX` (Ahn et al. 2009), which is the flattened butterfly (Kim et al. 2007) where there are no parallel links,
//! and the full mesh, its case of one dimension.

use serde::Deserialize;

use super::builder::NetworkBuilder;
use super::error::{NetworkError, check_range, check_size};
use super::geometry::Geometry;
use super::geometry::lattice::Lattice;
use super::member::Topology;
use super::metrics::Metrics;
use super::network::Network;
use super::per_dimension::PerDimension;

/// The largest number of dimensions.
pub const MAX_DIMENSIONS: usize = 8;

/// HyperX (Ahn et al. 2009) or flattened butterfly (Kim et al. 2007): every two switches of a line are joined.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct HyperX {
    /// Switches in each of 1 to 8 dimensions, 2 to 2048.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [[4, 4]])))]
    pub dims: Vec<u32>,
    /// Parallel links between two switches of a line, 1 to 16: one number, or one per dimension.
    #[serde(default)]
    pub widths: PerDimension,
    /// Compute nodes of each switch.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 4096)))]
    #[serde(default = "super::one")]
    pub nodes: u32,
}

impl HyperX {
    /// Checks the parameters and returns the switches with their ports.
    pub fn lattice(&self) -> Result<Lattice, NetworkError> {
        let wrong = |key, value, reason| Err(NetworkError::OutOfRange { key, value, reason });
        if self.dims.is_empty() || self.dims.len() > MAX_DIMENSIONS {
            return wrong("network.dims", format!("{:?}", self.dims), "give 1 to 8 dimensions");
        }
        if self.dims.iter().any(|size| !(2..=2048).contains(size)) {
            return wrong("network.dims", format!("{:?}", self.dims), "each dimension has 2 to 2048 switches");
        }
        let widths = match &self.widths {
            PerDimension::All(width) => vec![*width; self.dims.len()],
            PerDimension::Each(widths) => widths.clone(),
        };
        if widths.len() != self.dims.len() {
            let reason = "give one number, or one per dimension of dims";
            return wrong("network.widths", format!("{widths:?}"), reason);
        }
        if widths.iter().any(|width| !(1..=16).contains(width)) {
            return wrong("network.widths", format!("{widths:?}"), "1 to 16 parallel links join two switches");
        }
        check_range("network.nodes", self.nodes, 1..=4096, "a switch has 1 to 4096 nodes")?;
        let ports = self.dims.iter().zip(&widths).map(|(&size, &width)| u64::from(size - 1) * u64::from(width));
        let switches = self.dims.iter().map(|&size| u128::from(size)).product();
        check_size(switches, ports.sum::<u64>() + u64::from(self.nodes))?;
        Ok(Lattice::new(self.dims.clone(), widths))
    }
}

impl Topology for HyperX {
    fn kind(&self) -> &'static str {
        "hyperx"
    }

    fn ports(&self) -> Result<u64, NetworkError> {
        let lattice = self.lattice()?;
        Ok(u64::from(lattice.switches()) * u64::from(lattice.ports() + self.nodes))
    }

    fn build(&self) -> Result<Network, NetworkError> {
        let lattice = self.lattice()?;
        let mut builder = NetworkBuilder::new();
        let mut first_port = Vec::new();
        for _ in 0..lattice.switches() {
            first_port.push(builder.ports());
            lattice.add_ports(&mut builder, |d, _| d as u8 + 1);
            (0..self.nodes).for_each(|_| {
                builder.add_node();
            });
            builder.end_switch();
        }
        lattice.link(&mut builder, &first_port);
        let classes = (0..self.dims.len()).map(|d| format!("dim-{d}"));
        Ok(builder.build(std::iter::once("node".into()).chain(classes).collect(), Geometry::HyperX(lattice)))
    }

    fn metrics(&self) -> Option<Metrics> {
        let nodes = self.dims.iter().map(|&size| f64::from(size)).product::<f64>() * f64::from(self.nodes);
        let mean = self.dims.iter().map(|&size| 1.0 - 1.0 / f64::from(size)).sum::<f64>();
        Some(Metrics {
            diameter: self.dims.len() as u32,
            mean_distance: mean,
            mean_distance_distinct: mean * nodes / (nodes - 1.0),
        })
    }
}

/// A full mesh: every two switches are joined by a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Full {
    /// Number of switches.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [16]), range(min = 2, max = 2048)))]
    pub switches: u32,
    /// Compute nodes of each switch.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 4096)))]
    #[serde(default = "super::one")]
    pub nodes: u32,
}

impl Full {
    /// Checks the parameters and returns the same network as a `HyperX` of one dimension.
    fn hyperx(self) -> Result<HyperX, NetworkError> {
        check_range("network.switches", self.switches, 2..=2048, "a full mesh has 2 to 2048 switches")?;
        Ok(HyperX { dims: vec![self.switches], widths: PerDimension::All(1), nodes: self.nodes })
    }
}

impl Topology for Full {
    fn kind(&self) -> &'static str {
        "full"
    }

    fn ports(&self) -> Result<u64, NetworkError> {
        self.hyperx()?.ports()
    }

    fn build(&self) -> Result<Network, NetworkError> {
        // There is one class of links between switches.
        let mut network = self.hyperx()?.build()?;
        network.classes[1] = "local".into();
        Ok(network)
    }

    fn metrics(&self) -> Option<Metrics> {
        self.hyperx().ok()?.metrics()
    }
}
