//! A kind of policy whose policy follows from what the caller has beside its keys.

use std::path::Path;
use std::sync::Arc;

use drowse_core::model::units::Time;
use drowse_core::power::{ClassPolicy, Timers};
use drowse_experiment::{Kinds, Source, case_of};
use drowse_run::request::RunRequest;
use schemars::JsonSchema;
use serde::Deserialize;

const REST: &str = r#"
    network = { kind = "full", switches = 4 }
    job = { app = { kind = "stencil", dims = [4], bytes = "1 KiB", compute = "200 us", iterations = 20 } }
"#;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Named {
    name: String,
}

fn kinds(deep: Time) -> Kinds {
    Kinds::default().policy_by::<Named, _>("kept", move |keys, place, _| match keys.name.as_str() {
        "mine" => Ok(ClassPolicy::StallTimer(Timers { shallow: Time::NEVER, deep })),
        _ => Err(place.error("name", "there is no such policy", "write name = \"mine\"")),
    })
}

fn text(policy: &str) -> String {
    format!("power = {{ channels = \"all\", policy = {policy} }}\n{REST}")
}

/// Two lists of kinds know the same word for different policies: each does what a stall timer of its time does.
#[test]
fn it_makes_the_policy_of_what_it_has() {
    for deep in [Time::from_us(20), Time::from_us(50)] {
        let source = Source::new(Path::new("own.toml"), text(r#"{ kind = "kept", name = "mine" }"#), &[]).unwrap();
        let own = kinds(deep).case(&Arc::new(source)).unwrap();
        let known = case_of(&text(&format!(r#"{{ kind = "stall-timer", deep = "{deep}" }}"#))).unwrap();
        let [own, known] = [own, known].map(|case| RunRequest::new(&case).run().unwrap().case.record);
        assert_eq!(own.makespan, known.makespan);
        assert_eq!(format!("{:?}", own.channels), format!("{:?}", known.channels));
    }
}

/// What it refuses is said at the key.
#[test]
fn it_may_refuse_keys() {
    let source = Source::new(Path::new("own.toml"), text(r#"{ kind = "kept", name = "yours" }"#), &[]).unwrap();
    let said = kinds(Time::from_us(20)).case(&Arc::new(source)).unwrap_err().to_string();
    assert!(said.contains("own.toml:1:") && said.contains("there is no such policy"), "{said}");
}

/// A policy of Python is no unknown word: who runs the experiment without Python is told what to do.
#[test]
fn a_policy_of_python_is_told_apart() {
    let said = case_of(&text(r#"{ kind = "python", code = "Mine", source = "0" }"#)).unwrap_err().to_string();
    assert!(said.contains("run the experiment from Python"), "{said}");
}
