//! The tables of an experiment file, one file each: what may be written, the defaults, and the checks.
//!
//! Defaults are those of the switch of Andújar et al. 2019, section 3.1. Each section is first read into a struct of
//! what was written, then resolved against those before it; every value is in range after that.

pub(super) mod app;
pub(super) mod axis;
mod balance;
mod band;
pub(super) mod baseline;
mod bought;
mod cap;
pub(super) mod catalogue;
mod cmis;
mod collectives;
mod computing;
pub(super) mod cost;
pub(super) mod device;
mod flow_control;
pub(super) mod hardware;
pub(super) mod head;
pub(super) mod job;
pub(super) mod kind_schema;
mod lengths;
pub(super) mod limit;
pub(super) mod link;
mod log;
mod log_assumed;
mod log_cut;
mod log_map;
mod log_names;
mod log_notes;
mod log_size;
pub(super) mod log_times;
mod log_unmatched;
mod marking;
pub(super) mod network;
pub(super) mod node;
mod node_catalogue;
mod node_watts;
pub(super) mod pattern;
pub(super) mod points;
pub(super) mod policy;
pub(super) mod power;
pub(super) mod programs;
mod range;
mod rate;
mod repeat;
pub(super) mod scheduler;
pub(super) mod search;
pub(super) mod simulation;
pub(super) mod single_states;
mod sleep;
pub(super) mod state_list;
mod state_powers;
mod states;
pub(super) mod sweep;
mod sweep_text;
pub(super) mod switch;
pub(super) mod traffic;
pub(super) mod transport;
pub(super) mod watts;
mod watts_bounds;

use drowse_core::model::units::{BitRate, Time};
use drowse_core::topology::{Geometry, Network};
use schemars::JsonSchema;

use super::diagnostic::Diagnostic;
use super::keys::Keys;

/// One table, or a list of them; for the schema.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used: `Node::items` reads both")]
pub(super) enum OneOrMany<T> {
    /// One table.
    One(T),
    /// Several.
    Many(Vec<T>),
}

/// Returns whether a network has links of a class. An ideal network has none, and takes those of any other for it, so
/// that an experiment's network can be replaced by it and by nothing else.
fn has_class(network: &Network, class: &String) -> bool {
    matches!(network.geometry, Geometry::Ideal(_)) || network.classes.contains(class)
}

/// Checks a time that each hop, message or wake may take: many of them must fit the longest simulated time.
fn repeated(keys: &Keys, path: &str, time: Time) -> Result<Time, Diagnostic> {
    const LONGEST: Time = Time(1_000_000_000_000);
    if time <= LONGEST {
        return Ok(time);
    }
    Err(keys.error(path, format!("`{path}` = {time} is too long"), "write a time of at most \"1 s\""))
}

/// Checks a bandwidth: what is sent over it must fit the longest simulated time.
fn bandwidth(keys: &Keys, path: &str, rate: BitRate) -> Result<BitRate, Diagnostic> {
    const LOWEST: BitRate = BitRate(1_000_000);
    if rate >= LOWEST {
        return Ok(rate);
    }
    Err(keys.error(path, format!("`{path}` is too low: {} bits a second", rate.0), "write at least \"1 Mb/s\""))
}

/// Checks that a number lies between 0 and 1, both included.
fn share(keys: &Keys, path: &str, value: f64) -> Result<f64, Diagnostic> {
    if (0.0..=1.0).contains(&value) {
        return Ok(value);
    }
    Err(keys.error(path, format!("`{path}` = {value} is no share"), "write a number from 0.0 to 1.0"))
}

/// Returns a share in billionths, so that no floating point decides.
#[expect(clippy::cast_sign_loss, reason = "a share is not negative")]
fn billionths(share: f64) -> u32 {
    (share * 1e9).round() as u32
}

/// Checks that a number is 0 or more, and none without end.
fn amount(keys: &Keys, path: &str, value: f64) -> Result<f64, Diagnostic> {
    if value.is_finite() && value >= 0.0 {
        return Ok(value);
    }
    Err(keys.error(path, format!("`{path}` = {value} is out of range"), "write a number, 0.0 or more"))
}

/// Checks a number that is at least 1.
fn in_range(number: Option<u32>, most: u32, keys: &Keys, path: &str) -> Result<Option<u32>, Diagnostic> {
    match number {
        Some(number) if !(1..=most).contains(&number) => {
            let message = format!("`{path}` = {number} is out of range");
            Err(keys.error(path, message, format!("write a number from 1 to {most}")))
        }
        number => Ok(number),
    }
}
