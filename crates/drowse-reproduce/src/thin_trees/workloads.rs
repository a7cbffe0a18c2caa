//! The workloads of section IV, for any number of nodes that is a power of two.
//!
//! Two lengths of waves are printed as 4094 and 16386; they are taken for the powers of two beside them. The 10 KB of a
//! message are 10 KiB, 160 packets, as in the runs of INSEE that ours are compared with.

/// A workload, one rank on each node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Workload {
    /// The paper's name of it.
    pub name: &'static str,
    kind: Kind,
    nodes: u64,
    /// The size of a message.
    bytes: u64,
    /// Random messages of all ranks together.
    messages: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    AllToAll,
    BinaryTree,
    Butterfly,
    /// A mesh of so many dimensions.
    Mesh(u32),
    /// A wavefront over one.
    Wavefront(u32),
    /// Random messages in so many waves; `None` for waves of one message.
    Waves(Option<u64>),
}

/// Names, kinds, and sizes of messages.
const WORKLOADS: [(&str, Kind, u64); 11] = [
    ("AA", Kind::AllToAll, 512),
    ("BI", Kind::BinaryTree, 10_240),
    ("BU", Kind::Butterfly, 10_240),
    ("M2", Kind::Mesh(2), 10_240),
    ("M3", Kind::Mesh(3), 10_240),
    ("W2", Kind::Wavefront(2), 10_240),
    ("W3", Kind::Wavefront(3), 10_240),
    ("R1", Kind::Waves(None), 1_024),
    ("R2", Kind::Waves(Some(64)), 1_024),
    ("R3", Kind::Waves(Some(16)), 1_024),
    ("R4", Kind::Waves(Some(4)), 1_024),
];

/// Returns all of them; random messages are `messages` in all.
pub fn all(nodes: u64, messages: u64) -> impl Iterator<Item = Workload> {
    WORKLOADS.into_iter().map(move |(name, kind, bytes)| Workload { name, kind, nodes, bytes, messages })
}

impl Workload {
    /// Returns whether every run of it takes the same time, as no two messages ever meet.
    pub fn is_exact(self) -> bool {
        self.kind == Kind::BinaryTree
    }

    /// Returns it with messages of another size.
    pub fn with_messages_of(self, bytes: u64) -> Workload {
        Workload { bytes, ..self }
    }

    /// Returns the key that sets it in an experiment.
    pub fn job(self) -> String {
        let Workload { nodes, bytes, messages, .. } = self;
        let kind = match self.kind {
            Kind::AllToAll => format!("\"all-to-all-in-turn\", ranks = {nodes}"),
            Kind::BinaryTree => format!("\"binary-tree\", ranks = {nodes}"),
            Kind::Butterfly => format!("\"butterfly\", ranks = {nodes}"),
            Kind::Mesh(count) => format!("\"mesh\", dims = {:?}", dims(nodes, count)),
            Kind::Wavefront(count) => format!("\"wavefront\", dims = {:?}", dims(nodes, count)),
            Kind::Waves(waves) => {
                let wave = waves.map_or(1, |waves| messages / waves);
                format!("\"random-waves\", ranks = {nodes}, messages = {messages}, wave = {wave}")
            }
        };
        format!("job=[{{ app = {{ kind = {kind}, bytes = \"{bytes} B\" }} }}]")
    }
}

/// Shares a power of two among dimensions, as evenly as possible.
fn dims(nodes: u64, count: u32) -> Vec<u64> {
    let exponent = nodes.ilog2();
    (0..count).map(|d| 1 << (exponent / count + u32::from(d < exponent % count))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(name: &str, nodes: u64) -> String {
        all(nodes, 16 * nodes).find(|workload| workload.name == name).map(Workload::job).unwrap_or_default()
    }

    #[test]
    fn the_papers_sizes() {
        assert_eq!(
            job("AA", 4_096),
            r#"job=[{ app = { kind = "all-to-all-in-turn", ranks = 4096, bytes = "512 B" } }]"#
        );
        assert_eq!(job("M2", 4_096), r#"job=[{ app = { kind = "mesh", dims = [64, 64], bytes = "10240 B" } }]"#);
        assert_eq!(
            job("W3", 4_096),
            r#"job=[{ app = { kind = "wavefront", dims = [16, 16, 16], bytes = "10240 B" } }]"#
        );
        for (name, wave) in [("R1", 1), ("R2", 1_024), ("R3", 4_096), ("R4", 16_384)] {
            assert_eq!(
                job(name, 4_096),
                format!(
                    r#"job=[{{ app = {{ kind = "random-waves", ranks = 4096, messages = 65536, wave = {wave}, bytes = "1024 B" }} }}]"#
                )
            );
        }
        assert_eq!([dims(512, 2), dims(512, 3), dims(64, 2)], [vec![32, 16], vec![8, 8, 8], vec![8, 8]]);
    }
}
