//! The form in which Chakra's linker (`chakra_trace_link`) joins an execution trace with the profiler's: nodes of the
//! host have times, and what ran on the GPU are nodes below those that launched it.

use rustc_hash::FxHashMap;

use super::node::Node;
use crate::pytorch::{Activity, Call, Recorded};

/// What is kept of the nodes of a linked file.
#[derive(Debug, Default)]
pub(super) struct Linked {
    /// Of nodes of the host: the node that called it, when it began, and the place of its call.
    hosts: FxHashMap<i64, Host>,
    gpu: Vec<OnGpu>,
    recorded: Recorded,
    has_span: bool,
}

/// A node of the host.
#[derive(Clone, Copy, Debug, Default)]
struct Host {
    parent: Option<i64>,
    begin: Option<i64>,
    call: Option<u32>,
}

/// What ran on the GPU.
#[derive(Debug)]
struct OnGpu {
    activity: Activity,
    parent: Option<i64>,
    communicates: Option<Call>,
}

/// How many callers are looked at for the call of a kernel.
const MOST_CALLERS: usize = 16;

impl Linked {
    /// Takes a node; `call` is the place of its call among all.
    pub fn take(&mut self, node: Node, call: Option<u32>) {
        let (id, begin) = (node.id.unwrap_or_default(), node.begin.map(|time| time.0));
        let lasts = node.lasts.map_or(0, |time| time.0);
        if let Some(begin) = begin.filter(|_| !node.name.starts_with("[pytorch|")) {
            let (from, to) = (self.recorded.begin, self.recorded.end);
            // How long a communication ran does not count, at the end neither.
            let end = if node.is_on_gpu() && is_nccl(&node.name) { begin } else { begin + lasts };
            (self.recorded.begin, self.recorded.end) =
                if self.has_span { (from.min(begin), to.max(end)) } else { (begin, end) };
            self.has_span = true;
        }
        if let Some(begin) = begin.filter(|_| node.is_on_gpu()) {
            let communicates = is_nccl(&node.name);
            let stream = node.stream.unwrap_or_default();
            let (end, launched, communication) = (begin + lasts, None, None);
            let activity = Activity { stream, begin, end, launched, number: id, communication, blocks: false };
            self.gpu.push(OnGpu { activity, parent: node.parent, communicates: communicates.then_some(node.call) });
            return;
        }
        if let Some(begin) = begin {
            if !node.waits_for.is_empty() || node.call.name.as_deref() == Some("wait") {
                self.recorded.host_waits.push(begin);
            }
            if node.name.starts_with("ProfilerStep") {
                self.recorded.iterations.push(begin);
            }
        }
        self.hosts.insert(id, Host { parent: node.parent, begin, call });
    }

    /// Returns whether anything ran on the GPU.
    pub fn is_linked(&self) -> bool {
        !self.gpu.is_empty()
    }

    /// Returns how many nodes of the GPU compute, and how many communicate.
    pub fn kernels(&self) -> (u64, u64) {
        let communicate = self.gpu.iter().filter(|of| of.communicates.is_some()).count();
        ((self.gpu.len() - communicate) as u64, communicate as u64)
    }

    /// Returns what was recorded, and the calls of each communication. A second kernel of a call is a part of the same.
    pub fn finish(mut self, calls: &[Call]) -> (Recorded, Vec<Vec<Call>>) {
        let (mut communications, mut known) = (Vec::new(), FxHashMap::default());
        for of in &mut self.gpu {
            let parent = of.parent.and_then(|parent| self.hosts.get(&parent));
            of.activity.launched = parent.and_then(|parent| parent.begin);
            let Some(own) = of.communicates.take() else { continue };
            let place = called(&self.hosts, of.parent);
            let number = place.and_then(|place| known.get(&place).copied()).unwrap_or_else(|| {
                let mut call = own;
                if let Some(other) = place.and_then(|place| calls.get(place as usize)) {
                    call.complete(other);
                }
                communications.push(vec![call]);
                communications.len() as u32 - 1
            });
            if let Some(place) = place {
                known.insert(place, number);
            }
            of.activity.communication = Some(number);
        }
        self.recorded.activities = self.gpu.iter().map(|of| of.activity).collect();
        (self.recorded, communications)
    }
}

/// Returns whether a kernel is one of NCCL, by its name.
fn is_nccl(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.contains("nccl") || name.contains("rccl")
}

/// Returns the place of the call that is nearest among the callers of a node.
fn called(hosts: &FxHashMap<i64, Host>, parent: Option<i64>) -> Option<u32> {
    let mut host = hosts.get(&parent?)?;
    for _ in 0..MOST_CALLERS {
        if host.call.is_some() {
            return host.call;
        }
        host = hosts.get(&host.parent?)?;
    }
    None
}
