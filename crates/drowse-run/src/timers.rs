//! Stall timers beside the wakes that they lead to, before anything is run.

use drowse_core::model::units::Time;
use drowse_core::power::ClassPolicy;
use drowse_experiment::System;

/// Says of each link class whose stall timer is shorter than the wake from its state: links then sleep in idle periods that
/// are shorter than waking again takes. A timer of no time is meant so; no other policy has fixed timers.
pub fn warnings(system: &System) -> Vec<String> {
    let classes = system.network.classes.iter().zip(system.policy.classes()).zip(&system.config.classes);
    let mut told: Vec<(String, Vec<&str>)> = Vec::new();
    for ((name, policy), class) in classes {
        let (ClassPolicy::StallTimer(timers), Some(states)) = (policy, &class.states) else { continue };
        for (sleep, timer, wake) in
            [("shallow", timers.shallow, states.shallow.wake), ("deep", timers.deep, states.deep.wake)]
        {
            if timer > Time::ZERO && timer < wake {
                let text = format!("the stall timer of {sleep} sleep, {timer}, is shorter than the wake of {wake}");
                match told.iter_mut().find(|(known, _)| *known == text) {
                    Some((_, names)) => names.push(name),
                    None => told.push((text, vec![name])),
                }
            }
        }
    }
    let help = "links sleep in idle periods that are shorter than waking again takes";
    told.into_iter().map(|(text, names)| format!("{text} (link class {}): {help}", names.join(", "))).collect()
}

#[cfg(test)]
mod tests {
    use drowse_experiment::case_of;

    use super::*;

    fn told(policy: &str) -> Vec<String> {
        let text = format!(
            "network = {{ kind = \"torus\", dims = [4] }}\npower = {{ policy = {policy}, states = \"saravanan-2018\" }}\n\
             traffic = {{ load = 0.1, warmup = \"10 cycles\", measure = \"10 cycles\" }}\n"
        );
        warnings(&case_of(&text).unwrap().system)
    }

    /// The states of Saravanan and Carpenter 2018 wake in 250 ns and in 4.48 us.
    #[test]
    fn timers_shorter_than_their_wakes_are_told() {
        let deep = told("{ kind = \"stall-timer\", deep = \"1 us\" }");
        assert_eq!(deep.len(), 1);
        assert!(
            deep[0].starts_with(
                "the stall timer of deep sleep, 1 us, is shorter than the wake of 4.48 us (link class dim-0)"
            ),
            "{deep:?}"
        );
        assert_eq!(told("{ kind = \"stall-timer\", shallow = \"100 ns\", deep = \"1 us\" }").len(), 2);
        for quiet in ["{ kind = \"stall-timer\", shallow = \"1 us\", deep = \"5 us\" }", "{ kind = \"immediate\" }"] {
            assert!(told(quiet).is_empty(), "{quiet}");
        }
    }
}
