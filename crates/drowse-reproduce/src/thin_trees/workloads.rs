//! The workloads of section IV, for any number of nodes that is a power of two.
//!
//! Two lengths of waves are printed as 4094 and 16386; they are taken for the powers of two beside them. The 10 KB of a
//! message are 10 KiB, 160 packets, as in the runs of INSEE that ours are compared with.
//!
//! In which order all-to-all sends is not printed. Here all nodes send to the first node, then to the second, and so on,
//! because phi comes out so; `order.rs` shows the other order, in which each begins with the next node.

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
    /// All-to-all in an order.
    AllToAll(&'static str),
    BinaryTree,
    Butterfly,
    /// A mesh of so many dimensions.
    Mesh(u32),
    /// A wavefront over one.
    Wavefront(u32),
    /// Random messages in so many waves; `None` for waves of one message.
    Waves(Option<u64>),
}

/// The names of all.
pub const NAMES: [&str; 11] = ["AA", "BI", "BU", "M2", "M3", "W2", "W3", "R1", "R2", "R3", "R4"];

/// The butterfly, whose packets ask for busy outputs in INSEE: its ratio shows the rule that differs.
pub const BUSY: &str = "BU";

/// The orders of all-to-all.
const FROM_ZERO: &str = "from-zero";
const FROM_NEXT: &str = "from-next";

/// Bytes of a packet.
const PACKET: u64 = 64;

/// Names, kinds, and sizes of messages.
const WORKLOADS: [(&str, Kind, u64); NAMES.len()] = [
    (NAMES[0], Kind::AllToAll(FROM_ZERO), 512),
    (NAMES[1], Kind::BinaryTree, 10_240),
    (NAMES[2], Kind::Butterfly, 10_240),
    (NAMES[3], Kind::Mesh(2), 10_240),
    (NAMES[4], Kind::Mesh(3), 10_240),
    (NAMES[5], Kind::Wavefront(2), 10_240),
    (NAMES[6], Kind::Wavefront(3), 10_240),
    (NAMES[7], Kind::Waves(None), 1_024),
    (NAMES[8], Kind::Waves(Some(64)), 1_024),
    (NAMES[9], Kind::Waves(Some(16)), 1_024),
    (NAMES[10], Kind::Waves(Some(4)), 1_024),
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

    /// Returns it with all nodes sending to different ones at a time, if it is all-to-all.
    pub fn to_next_first(self) -> Workload {
        let kind = if let Kind::AllToAll(_) = self.kind { Kind::AllToAll(FROM_NEXT) } else { self.kind };
        Workload { kind, ..self }
    }

    /// Returns whether only few of its messages are on their way at a time, as the paper says of three.
    pub fn is_light(self) -> bool {
        matches!(self.kind, Kind::BinaryTree | Kind::Wavefront(_))
    }

    /// Returns the packets that it sends.
    pub fn packets(self) -> u64 {
        let Workload { nodes, bytes, messages, .. } = self;
        // Of n nodes in a line, n - 1 send to the next one.
        let lines = |count| dims(nodes, count).into_iter().map(|length| nodes - nodes / length).sum::<u64>();
        let sent = match self.kind {
            Kind::AllToAll(_) => nodes * (nodes - 1),
            Kind::BinaryTree => nodes - 1,
            Kind::Butterfly => nodes * u64::from(nodes.ilog2()),
            Kind::Mesh(count) => 2 * lines(count),
            Kind::Wavefront(count) => lines(count),
            Kind::Waves(_) => messages,
        };
        sent * bytes.div_ceil(PACKET)
    }

    /// Returns the key that sets so many jobs of it in an experiment.
    pub fn jobs(self, count: u64) -> String {
        let Workload { nodes, bytes, messages, .. } = self;
        let kind = match self.kind {
            Kind::AllToAll(order) => {
                format!("\"all-to-all\", order = \"program\", ranks = {nodes}, destinations = \"{order}\"")
            }
            Kind::BinaryTree => format!("\"binary-tree\", ranks = {nodes}"),
            Kind::Butterfly => format!("\"butterfly\", ranks = {nodes}"),
            Kind::Mesh(count) => {
                let dims = dims(nodes, count);
                format!("\"stencil\", order = \"program\", periodic = false, dims = {dims:?}")
            }
            Kind::Wavefront(count) => format!("\"wavefront\", dims = {:?}", dims(nodes, count)),
            Kind::Waves(waves) => {
                let wave = waves.map_or(1, |waves| messages / waves);
                format!("\"random-waves\", ranks = {nodes}, messages = {messages}, wave = {wave}")
            }
        };
        let job = format!("{{ app = {{ kind = {kind}, bytes = \"{bytes} B\" }} }}");
        format!("job=[{}]", vec![job; count as usize].join(", "))
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
        all(nodes, 16 * nodes)
            .find(|workload| workload.name == name)
            .map(|workload| workload.jobs(1))
            .unwrap_or_default()
    }

    /// 134 million packets of all-to-all on 4,096 nodes. On 64, with 160 packets a message: 63 of a reduction, 64 x 6 of a
    /// butterfly, two each way over the 2 x 56 edges of 8 x 8 and the 3 x 48 of 4 x 4 x 4.
    #[test]
    fn packets_by_hand() {
        let of =
            |name: &str, nodes| all(nodes, 16 * nodes).find(|workload| workload.name == name).map(Workload::packets);
        assert_eq!(of("AA", 4_096), Some(134_184_960));
        let sent = ["BI", "BU", "M2", "M3", "W2", "W3"].map(|name| of(name, 64));
        assert_eq!(sent, [63, 384, 224, 288, 112, 144].map(|messages| Some(160 * messages)));
        assert_eq!(of("R3", 64), Some(1_024 * 16));
    }

    #[test]
    fn two_jobs() {
        let two = all(64, 1_024).nth(1).map(|workload| workload.jobs(2));
        let job = r#"{ app = { kind = "binary-tree", ranks = 64, bytes = "10240 B" } }"#;
        assert_eq!(two, Some(format!("job=[{job}, {job}]")));
    }

    #[test]
    fn the_papers_sizes() {
        assert_eq!(
            job("AA", 4_096),
            r#"job=[{ app = { kind = "all-to-all", order = "program", ranks = 4096, destinations = "from-zero", bytes = "512 B" } }]"#
        );
        assert_eq!(
            job("M2", 4_096),
            r#"job=[{ app = { kind = "stencil", order = "program", periodic = false, dims = [64, 64], bytes = "10240 B" } }]"#
        );
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
        assert!(all(64, 1_024).map(|workload| workload.name).eq(NAMES));
        assert_eq!([dims(512, 2), dims(512, 3), dims(64, 2)], [vec![32, 16], vec![8, 8, 8], vec![8, 8]]);
    }
}
