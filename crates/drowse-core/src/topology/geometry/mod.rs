//! What routing needs of a built network beyond its flat tables: coordinates, or tables of paths.

pub mod graph;
pub mod grid;
pub mod groups;
pub mod ideal;
pub mod lattice;
pub mod levels;

/// The coordinates or tables of a network.
#[derive(Clone, Debug)]
pub enum Geometry {
    /// A torus or mesh.
    Grid(grid::Grid),
    /// A tree.
    Levels(levels::Levels),
    /// Groups of switches, joined each with each by global links.
    Groups(groups::Groups),
    /// Switches joined with all others in each dimension.
    HyperX(lattice::Lattice),
    /// Any graph.
    Graph(graph::Tables),
    /// Nodes without a network.
    Ideal(ideal::Ideal),
}

impl Geometry {
    /// Returns where a switch is, or what it is called; nothing where its number says all.
    pub fn detail(&self, switch: u32) -> String {
        let joined = |coordinates: &mut dyn Iterator<Item = u32>| {
            coordinates.map(|coordinate| coordinate.to_string()).collect::<Vec<String>>().join(", ")
        };
        match self {
            Geometry::Grid(grid) => joined(&mut (0..grid.dims.len()).map(|d| u32::from(grid.coordinate(switch, d)))),
            Geometry::Levels(levels) => format!("level {}", levels.level[switch as usize]),
            Geometry::Groups(groups) => {
                format!("group {}, switch {} of it", groups.group(switch), switch % groups.size)
            }
            Geometry::HyperX(lattice) => joined(&mut (0..lattice.dims.len()).map(|d| lattice.coordinate(switch, d))),
            Geometry::Graph(graph) => graph.names.get(switch as usize).cloned().unwrap_or_default(),
            Geometry::Ideal(_) => String::new(),
        }
    }
}
