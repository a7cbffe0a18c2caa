//! How long the ranks of an application compute: imbalance and jitter.

use drowse_core::model::units::Time;
use drowse_core::workload::programs::{Computing, Distribution, Share};

use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};
use crate::node::Node;

/// Takes the keys of what differs, and returns the computation of an iteration.
pub(super) fn resolve(node: &mut Node<'_>, time: Time, keys: &Keys, seed: u64) -> Result<Computing, Diagnostic> {
    let distribution: Option<Distribution> = node.take("distribution").map(|node| node.read(keys)).transpose()?;
    let mut shares = [Share::default(); 2];
    for (share, key) in shares.iter_mut().zip(["imbalance", "jitter"]) {
        if let Some(value) = node.take(key) {
            *share = read(value.read(keys)?, keys, &join(&node.path, key))?;
        }
    }
    let [imbalance, jitter] = shares;
    let distribution = distribution.unwrap_or_default();
    Ok(Computing { time, imbalance, jitter, distribution, seed })
}

/// Reads a share, to the millionth.
fn read(share: f64, keys: &Keys, path: &str) -> Result<Share, Diagnostic> {
    if !(0.0..=1.0).contains(&share) {
        let help = "write a share of the time to compute, from 0.0 to 1.0";
        return Err(keys.error(path, format!("`{path}` = {share} is out of range"), help));
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and a million")]
    let millionths = (share * 1e6).round() as u32;
    Ok(Share(millionths))
}
