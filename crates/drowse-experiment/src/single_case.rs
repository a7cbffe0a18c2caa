//! Refuses `[sweep]` where one case is wanted.

use super::diagnostic::Diagnostic;
use super::keys::Keys;
use super::node::Node;
use super::sections::axis::Axis;
use super::sections::sweep::{Section, resolve};

/// The largest number of keys that the message names; more would bury it.
const MOST_NAMED: usize = 8;

/// Refuses a sweep where one case is wanted, unless overrides have chosen one value of each key.
pub(super) fn refuse(sweep: Node<'_>, keys: &Keys) -> Result<(), Diagnostic> {
    let Section { axes, .. } = resolve(sweep, keys)?;
    if axes.is_empty() {
        return Ok(());
    }
    let set = |axis: &Axis<'_>| format!("--set {}={}", axis.name(), shell_word(&axis.text(0)));
    let sets: Vec<String> = axes.iter().take(MOST_NAMED).map(set).collect();
    let help = format!(
        "run all cases by `drowse sweep FILE --out DIR`, or pick one value of each key, such as {}",
        sets.join(" ")
    );
    Err(keys.error("sweep", "this is a sweep, and one case is wanted", help))
}

/// Quotes a value for a shell where it needs that.
fn shell_word(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./+,".contains(c);
    if text.chars().all(plain) { text.to_owned() } else { format!("'{}'", text.replace('\'', "'\\''")) }
}
