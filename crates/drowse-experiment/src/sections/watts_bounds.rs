//! The largest watts and joules that are read: above them, a number is one of another unit.

use super::amount;
use super::band::{Amount, Limits};
use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};

/// A bound of a key.
struct Bound {
    key: &'static str,
    most: f64,
    unit: &'static str,
    /// Why nothing is above it.
    why: &'static str,
}

const BOUNDS: [Bound; 13] = [
    Bound { key: "on", most: 10e3, unit: "W", why: "whole switches draw less than 10 kW, and ports up to 60 W" },
    Bound { key: "per_bit", most: 1e-6, unit: "J", why: "links take picojoules for a bit; 1 uJ is 1 kW at 1 Gb/s" },
    Bound { key: "per_packet", most: 1e-2, unit: "J", why: "switches take nanojoules for a packet" },
    Bound { key: "switch", most: 100e3, unit: "W", why: "a rack full of switches draws less than 100 kW" },
    Bound { key: "nic", most: 10e3, unit: "W", why: "NICs draw 5 to 150 W" },
    Bound { key: "node.busy", most: 1e6, unit: "W", why: "a rack of 72 accelerators draws 120 kW" },
    Bound { key: "node.idle", most: 1e6, unit: "W", why: "a rack of 72 accelerators draws 120 kW" },
    Bound { key: "node.wait", most: 1e6, unit: "W", why: "a rack of 72 accelerators draws 120 kW" },
    Bound { key: "node.free", most: 1e6, unit: "W", why: "a rack of 72 accelerators draws 120 kW" },
    Bound { key: "node.off", most: 1e6, unit: "W", why: "a rack of 72 accelerators draws 120 kW" },
    Bound { key: "node.accelerator.idle", most: 1e5, unit: "W", why: "accelerators draw up to 1.2 kW" },
    Bound { key: "node.accelerator.compute", most: 1e5, unit: "W", why: "accelerators draw up to 1.2 kW" },
    Bound { key: "node.accelerator.communicate", most: 1e5, unit: "W", why: "accelerators draw up to 1.2 kW" },
];

/// Checks the numbers that were written below `path`.
pub fn check(keys: &Keys, path: &str, amounts: &[(&str, Option<f64>)]) -> Result<(), Diagnostic> {
    let mut given = amounts.iter().filter_map(|&(key, value)| Some((key, value?)));
    given.try_for_each(|(key, value)| within(keys, &join(path, key), key, value))
}

/// Checks a number that may be a band.
pub fn check_band(keys: &Keys, path: &str, key: &str, amount: Amount) -> Result<(), Diagnostic> {
    let Limits { low, high } = amount.limits();
    let place = join(path, key);
    if !amount.is_band() {
        return within(keys, &place, key, low);
    }
    within(keys, &join(&place, "low"), key, low)?;
    within(keys, &join(&place, "high"), key, high)?;
    if low > high {
        let message = format!("the band of `{place}` is empty: low = {low} is more than high = {high}");
        return Err(keys.error(&place, message, "exchange low and high"));
    }
    Ok(())
}

fn within(keys: &Keys, path: &str, key: &str, value: f64) -> Result<(), Diagnostic> {
    amount(keys, path, value)?;
    match BOUNDS.iter().find(|bound| bound.key == key && value > bound.most) {
        None => Ok(()),
        Some(&Bound { most, unit, why, .. }) => {
            let message = format!("`{path}` = {value} {unit} is out of range: {why}");
            Err(keys.error(path, message, format!("write a number from 0 to {most} (in {unit})")))
        }
    }
}
