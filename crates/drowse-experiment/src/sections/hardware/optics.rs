//! Sleep states that optical modules do not have.

use drowse_core::model::config::ClassModel;
use drowse_core::topology::Network;

use super::wanted::LinkMedium;
use crate::diagnostic::Diagnostic;
use crate::keys::Keys;
use crate::sections::catalogue::{CATALOGUE, NamedStates};

/// Refuses the deep sleep of Energy-Efficient Ethernet on optical links, where it was written, and returns a warning of
/// any other deep sleep of theirs.
pub fn check(
    keys: &Keys,
    network: &Network,
    (classes, media): (&[ClassModel], &[LinkMedium]),
) -> Result<Vec<String>, Diagnostic> {
    let mut others = Vec::new();
    for ((name, class), link) in network.classes.iter().zip(classes).zip(media) {
        let Some(medium) = link.medium.filter(|medium| medium.is_optical()) else { continue };
        let Some(states) = class.states.filter(|states| states.deep != states.shallow) else { continue };
        let of_standard = |states_of: &&NamedStates| {
            states_of.name.starts_with("eee-") && states_of.known().is_some_and(|known| known == states)
        };
        let written = keys.contains("power.states") || keys.contains("power.class");
        if let Some(named) = CATALOGUE.iter().find(of_standard).filter(|_| written) {
            let message =
                format!("links of class \"{name}\" are of medium \"{}\", and have no deep sleep", medium.word());
            let help = format!(
                "the states \"{}\" are those of copper (IEEE 802.3, clause 78): write states = \"eee-optical\"",
                named.name
            );
            return Err(keys.error("power.states", message, help));
        }
        others.push(format!("\"{name}\" ({})", medium.word()));
    }
    let class = if others.len() == 1 { "class" } else { "classes" };
    let note = || {
        let classes = others.join(", ");
        format!("optical links have no deep sleep in IEEE 802.3, and those of {class} {classes} have one here")
    };
    Ok((!others.is_empty()).then(note).into_iter().collect())
}
