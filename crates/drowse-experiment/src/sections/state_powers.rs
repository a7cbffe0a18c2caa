//! Sleep states that draw more than lighter ones: a link that is idle for longer then saves less.

use drowse_core::topology::Network;

use super::sleep::Sleep;

/// Warns of states that draw more than the state before them, once for all classes of links with the same states.
pub fn notes(network: &Network, sleeps: &[Option<Sleep>]) -> Vec<String> {
    let mut notes: Vec<(String, Vec<&str>)> = Vec::new();
    for (class, sleep) in network.classes.iter().zip(sleeps) {
        let (class, Some(what)) = (class.as_str(), sleep.as_ref().and_then(rise)) else { continue };
        match notes.iter_mut().find(|(known, _)| *known == what) {
            Some((_, classes)) => classes.push(class),
            None => notes.push((what, vec![class])),
        }
    }
    let all = network.classes.len();
    let said = |(what, classes): (String, Vec<&str>)| {
        let whose =
            if classes.len() == all { String::new() } else { format!(" (links of class {})", classes.join(", ")) };
        format!("{what}{whose}: links that sleep longer save less; check its power, or leave the state out")
    };
    notes.into_iter().map(said).collect()
}

/// Says which state draws more than the one before it, if one does.
fn rise(sleep: &Sleep) -> Option<String> {
    let powers = sleep.states.sleeps().map(|state| sleep.states.of(state).power);
    let named: Vec<(&String, f64)> = sleep.listed.names.iter().zip(powers).collect();
    let [(before, less), (after, more)] =
        named.windows(2).find(|pair| pair[1].1 > pair[0].1).map(|pair| [pair[0], pair[1]])?;
    let share = |power: f64| (power * 1e4).round() / 1e4;
    Some(format!(
        "the sleep state \"{after}\" draws {} of the power when on, more than \"{before}\" before it with {}",
        share(more),
        share(less)
    ))
}
