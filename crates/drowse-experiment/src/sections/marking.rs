//! `switch.marking`: when switches mark packets (ECN).

use drowse_core::model::transport::{MarkAt, Marking};
use drowse_core::model::units::Bytes;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{billionths, share};
use crate::diagnostic::Diagnostic;
use crate::keys::Keys;

/// When a switch marks a packet of data: by the bytes that wait for its output (explicit congestion notification, ECN). It
/// needs `queues = "virtual-output"` or `"output"`.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MarkingKeys {
    /// With so many bytes or fewer, no packet is marked.
    #[schemars(extend("examples" = ["400 kB"]))]
    kmin: Bytes,
    /// With more, all are; between, the chance grows evenly from 0 to `pmax`. Default: `kmin`, a step.
    #[schemars(extend("examples" = ["1600 kB"]))]
    kmax: Option<Bytes>,
    /// The chance at `kmax`.
    #[schemars(extend("default" = 1.0), range(min = 0, max = 1))]
    pmax: Option<f64>,
    /// When the queue is looked at.
    #[schemars(extend("default" = "dequeue"))]
    at: Option<MarkAt>,
    /// Whether packets are marked that have waited for their output to wake.
    #[schemars(extend("default" = true))]
    waking: Option<bool>,
    /// Whether packets are marked where the output has no credits: where congestion has spread to. If not, write
    /// `at = "enqueue"`, as InfiniBand switches do.
    #[schemars(extend("default" = true))]
    victims: Option<bool>,
}

impl MarkingKeys {
    /// Returns when packets are marked.
    pub fn resolve(self, keys: &Keys) -> Result<Marking, Diagnostic> {
        let kmax = self.kmax.unwrap_or(self.kmin);
        if kmax < self.kmin {
            let message = format!("`switch.marking.kmax` is below the {} bytes of `kmin`", self.kmin.0);
            return Err(keys.error("switch.marking.kmax", message, "write as much as `kmin`, for a step, or more"));
        }
        let pmax = share(keys, "switch.marking.pmax", self.pmax.unwrap_or(1.0))?;
        Ok(Marking {
            kmin: self.kmin,
            kmax,
            pmax_billionths: billionths(pmax),
            at: self.at.unwrap_or_default(),
            waking: self.waking.unwrap_or(true),
            victims: self.victims.unwrap_or(true),
        })
    }
}
