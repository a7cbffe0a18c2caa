//! `policy = { kind = "runtime", ... }`: the runtime system commands links (Totoni et al. 2014).

use std::num::NonZeroU32;

use drowse_core::model::units::Time;
use drowse_core::power::runtime::{Mode, Rules};
use serde::Deserialize;

use super::{amount, repeated};
use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};
use crate::node::Node;
use crate::quantity::Quantity;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    #[serde(default)]
    mode: Word,
    learn: Option<u32>,
    margin: Option<Quantity<Time>>,
    overhead: Option<Quantity<Time>>,
    slowdown: Option<f64>,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Word {
    #[default]
    Basic,
    Scheduled,
}

/// The paper's conservative delay and its overhead of a call.
const MARGIN: Time = Time::from_us(1_000);
const OVERHEAD: Time = Time::from_us(20);
/// One iteration may be unlike the others, as the first often is; two are not both.
const LEARN: u32 = 2;
/// What is learned from more is nothing new, and takes room.
const MOST: u32 = 1_000;
/// How much longer iterations may get.
const SLOWDOWN: f64 = 0.05;

/// Reads the rules.
#[expect(clippy::cast_sign_loss, reason = "an amount is not negative, and the cast stops at the most")]
pub fn read(node: Node<'_>, path: &str, keys: &Keys) -> Result<Rules, Diagnostic> {
    let raw: Raw = node.read(keys)?;
    let time = |key: &str, time: Option<Quantity<Time>>, usual: Time| {
        repeated(keys, &join(path, key), time.map_or(usual, |time| time.0))
    };
    let learn = raw.learn.unwrap_or(LEARN);
    let Some(learn) = NonZeroU32::new(learn).filter(|learn| learn.get() <= MOST) else {
        let message = format!("`{}` = {learn} is out of range", join(path, "learn"));
        let help = "write the number of iterations that are learned from, 1 to 1000";
        return Err(keys.error(&join(path, "learn"), message, help));
    };
    let slowdown = amount(keys, &join(path, "slowdown"), raw.slowdown.unwrap_or(SLOWDOWN))?;
    Ok(Rules {
        mode: match raw.mode {
            Word::Basic => Mode::Basic,
            Word::Scheduled => Mode::Scheduled,
        },
        learn,
        margin: time("margin", raw.margin, MARGIN)?,
        overhead: time("overhead", raw.overhead, OVERHEAD)?,
        slowdown_billionths: (slowdown * 1e9).round() as u64,
    })
}
