//! The catalogue of link states.

use drowse_core::model::ids::ChannelId;
use drowse_core::model::units::Time;
use drowse_core::power::SleepPolicy;
use drowse_experiment::LINK_STATES;

use crate::support::{case, wrong_section};

/// Every entry is read by its name, or refused because of what is not published of it.
#[test]
fn every_entry_parses_or_is_refused() {
    let mut refused = 0;
    for named in LINK_STATES {
        let power = |states: &str| {
            format!("[power]\npolicy = {{ kind = \"stall-timer\", deep = \"1 us\" }}\nstates = {states}\n")
        };
        let by_name = power(&format!("\"{}\"", named.name));
        if let Some(known) = named.known() {
            let case = case(&format!("[network]\nkind = \"torus\"\ndims = [2]\n{by_name}{TRAFFIC}"));
            assert_eq!(case.system.config.classes[1].states, Some(known), "{}", named.name);
        } else {
            refused += 1;
            let message = wrong_section(&by_name);
            assert!(message.contains("are published") && message.contains(named.name), "{message}");
            // With what is not published, it can be used.
            let state = "{ power = 0.5, enter = \"1 us\", wake = \"2 us\" }";
            let whole = power(&format!("{{ preset = \"{}\", shallow = {state}, deep = {state} }}", named.name));
            let case = case(&format!("[network]\nkind = \"torus\"\ndims = [2]\n{whole}{TRAFFIC}"));
            assert_eq!(case.system.config.classes[1].states.map(|states| states.deep.power), Some(0.5));
        }
        assert!(!named.source.is_empty() && !named.links.is_empty(), "{}", named.name);
        assert_eq!(
            LINK_STATES.iter().filter(|other| other.name == named.name).count(),
            1,
            "{} is there twice",
            named.name
        );
    }
    assert!(refused > 0 && refused < LINK_STATES.len());
}

const TRAFFIC: &str = "[traffic]\nload = 0.1\nwarmup = \"1 us\"\nmeasure = \"1 us\"\n";

/// A part alone is not enough.
#[test]
fn what_is_not_published_has_to_be_written() {
    let states =
        "[power]\nstates = { preset = \"pcie-aspm\", deep = { power = 0.1, enter = \"1 us\", wake = \"64 us\" } }";
    insta::assert_snapshot!(wrong_section(states), @r#"
    x.toml:5:21: error: not all powers and times of the states "pcie-aspm" are published
     5 | states = { preset = "pcie-aspm", deep = { power = 0.1, enter = "1 us", w...
       |                     ^^^^^^^^^^^
    help: write what you know: states = { preset = "pcie-aspm", shallow = { power = ..., enter = ..., wake = ... }, deep = { ... } }; `drowse states` lists what is published
    "#);
}

/// Returns what is wrong with a list of states on a torus of two switches.
fn wrong_list(power: &str) -> String {
    wrong_section(&format!("[power]\npolicy = {{ kind = \"stall-timer\", deep = \"1 us\" }}\n{power}"))
}

const FAST: &str = "{ name = \"fast\", power = 0.6, enter = \"0 ns\", wake = \"340 ns\" }";

/// A list names its first two states shallow and deep; what is beyond has times of minutes.
#[test]
fn a_list_of_states() {
    let text = format!(
        "[network]\nkind = \"torus\"\ndims = [2]\n[power]\ndirections = \"both\"\n\
         policy = {{ kind = \"stall-timer\", timers = [\"10 us\", \"1 ms\", \"10 s\"] }}\n\
         states = {{ transition = 0.9, list = [{FAST}, {{ preset = \"eee-deep-100g\" }}, \
         {{ preset = \"module-low\", power = 0.2, cmis = {{ pwr_up = 9, dp_init = 6, tx_turn_on = 5 }} }}] }}\n{TRAFFIC}"
    );
    let case = case(&text);
    let states = case.system.config.classes[1].states.unwrap();
    assert_eq!((states.shallow.wake, states.deep.wake), (Time::from_ns(340), Time::from_ns(5_500)));
    // A minute to power up, a second for the data path, half a second for the transmitter; asleep after three times 5 s.
    let module = states.further.all()[0];
    assert_eq!((module.wake, module.enter), (Time::from_us(61_500_000), Time::from_us(15_000_000)));
    assert!((states.transition - 0.9).abs() < 1e-12);
    let timers =
        case.system.policy.classes()[1].further_timers(1, &case.system.policy.classes()[1].start(ChannelId(0), 1));
    assert_eq!(timers.0, [Time::from_us(10_000_000), Time::NEVER, Time::NEVER, Time::NEVER]);
}

/// The share of a link is that of its parts: of 2 + 12 + 1 W, the module's 1.5 W and half of the port's 1 W.
#[test]
fn states_by_parts() {
    let text = format!(
        "[network]\nkind = \"torus\"\ndims = [2]\n[power]\npolicy = {{ kind = \"immediate\" }}\n\
         states = {{ part_watts = {{ serdes = 2, module = 12, module_low = 1.5, port = 1 }}, list = [{{ name = \"low\", \
         parts = {{ serdes = 0, module = \"low-power\", port = 0.5 }}, enter = \"1 ms\", wake = \"1 s\" }}] }}\n{TRAFFIC}"
    );
    let states = case(&text).system.config.classes[1].states.unwrap();
    assert!((states.deep.power - 2.0 / 15.0).abs() < 1e-12 && states.shallow == states.deep);
}

/// Each wrong input has one message that says what, where, and what to do.
#[test]
fn wrong_lists_of_states() {
    let list = |entries: &str| format!("states.list = [{entries}]\n");
    let low = "preset = \"module-low\", power = 0.2";
    let wrong = [
        (list(""), "a list of 0 sleep states", "from 1 to 6"),
        (
            list(&format!("{FAST}, {{ name = \"b\", power = 0.1, enter = \"1 us\", wake = \"10 ns\" }}")),
            "wakes in 10 ns",
            "fastest first",
        ),
        (list(&format!("{FAST}, {FAST}")), "\"fast\" is there twice", "a name of its own"),
        (list("{ power = 0.1, enter = \"1 us\", wake = \"1 us\" }"), "has no name", "write a name"),
        (
            list("{ preset = \"module-low\", enter = \"1 s\" }"),
            "lacks what is not published: power, wake",
            "write power = ..., wake = ...",
        ),
        (list("{ preset = \"module-lwo\" }"), "module-lwo", "module-low"),
        (list(&format!("{{ {low}, cmis = {{ pwr_up = 14 }} }}")), "code 14", "write 0 to 13"),
        (list(&format!("{{ {low}, wake = \"1 s\", cmis = {{}} }}")), "both a `wake` and the codes", "write one"),
        (list("{ preset = \"pcie-l1\", power = 0.2, enter = \"1 us\", exit_code = 7 }"), "exit code 7", "0 to 6"),
        (list(&format!("{{ {low}, enter = \"1 s\", wake = \"7201 s\" }}")), "is too long", "at most \"7200 s\""),
        (
            list("{ name = \"a\", parts = { serdes = 0 }, enter = \"1 us\", wake = \"1 us\" }"),
            "watts of the link's parts are not known",
            "part_watts",
        ),
        (list(&format!("{{ {low}, cmis = {{}} }}")), "takes the whole link down", "power.directions = \"both\""),
        (format!("states = {{ preset = \"eee-40g\", list = [{FAST}] }}\n"), "has no `preset` beside it", "in the list"),
    ];
    for (power, message, help) in wrong {
        let told = wrong_list(&power);
        assert!(told.contains(message) && told.contains(help) && told.contains("x.toml:"), "{power}: {told}");
    }
    let timers = [
        ("timers = [\"1 us\", \"2 us\", \"3 us\"]", "3 timers for 2 sleep states: shallow, deep"),
        ("timers = []", "a list of no timers"),
        ("timers = [\"2 us\", \"2 us\"]", "a state after 2 us is never reached"),
        ("deep = \"1 us\", timers = [\"2 us\"]", "`timers` are those of all sleep states"),
    ];
    for (keys, message) in timers {
        let told = wrong_section(&format!("[power]\npolicy = {{ kind = \"stall-timer\", {keys} }}\n"));
        assert!(told.contains(message), "{keys}: {told}");
    }
}

/// Policies that add up the times of many wakes take seconds only.
#[test]
fn a_bound_over_wakes_of_minutes() {
    let slow = "{ name = \"slow\", power = 0.1, enter = \"1 s\", wake = \"60 s\" }";
    let told = wrong_section(&format!(
        "[power]\npolicy = {{ kind = \"perfbound\", bound = 0.01 }}\nstates.list = [{FAST}, {slow}]\n"
    ));
    assert!(told.contains("one of them takes longer than 1 s"), "{told}");
}

/// The experiments of two switches with states, and their warnings.
fn notes(power: &str) -> Vec<String> {
    case(&format!("[network]\nkind = \"torus\"\ndims = [2]\n[power]\n{power}\n{TRAFFIC}")).system.watts.notes
}

/// Of 15 W a link keeps 13.2 W where its SerDes draws a tenth of 2 W: 0.88, more than the 0.6 of fast wake.
#[test]
fn a_state_that_draws_more_than_the_one_before_is_warned_of() {
    let timer = "policy = { kind = \"stall-timer\", shallow = \"1 us\", deep = \"50 us\" }\nstates";
    let watts = "part_watts = { serdes = 2.0, module = 12.0, port = 1.0 }";
    let slow = "{ name = \"serdes\", parts = { serdes = 0.1 }, enter = \"1 us\", wake = \"6 us\" }";
    let told = notes(&format!("{timer} = {{ {watts}, list = [{{ preset = \"fast-wake\" }}, {slow}] }}"));
    assert_eq!(told.len(), 1);
    let said = "the sleep state \"serdes\" draws 0.88 of the power when on, more than \"fast-wake\" before it with 0.6";
    assert!(told[0].starts_with(said), "{told:?}");
    let plain = "{ name = \"a\", power = 0.3, enter = \"0 us\", wake = \"1 us\" }, \
                 { name = \"b\", power = 0.3, enter = \"0 us\", wake = \"1 us\" }, \
                 { name = \"c\", power = 0.4, enter = \"0 us\", wake = \"2 us\" }";
    assert!(notes(&format!("{timer}.list = [{plain}]"))[0].contains("\"c\" draws 0.4"));
    assert!(notes(&format!("{timer} = {{ deep = {{ power = 0.7 }} }}"))[0].contains("\"deep\" draws 0.7"));
    assert_eq!(notes(&format!("{timer} = \"eee-40g\"")), [""; 0]);
    assert_eq!(
        notes(&format!("{timer}.list = [{{ preset = \"fast-wake\" }}]").replace("shallow = \"1 us\", ", "")),
        [""; 0]
    );
}

/// A part whose watts are not known does not count as nothing.
#[test]
fn a_part_that_a_state_names_has_watts() {
    let told = |watts: &str, parts: &str| {
        let state = format!("{{ name = \"a\", parts = {{ {parts} }}, enter = \"1 us\", wake = \"6 us\" }}");
        wrong_section(&format!("[power]\nstates = {{ part_watts = {{ {watts} }}, list = [{state}] }}\n"))
    };
    for (watts, parts, part) in [
        ("serdes = 2.0", "serdes = 0.1, port = 0.5", "port"),
        ("serdes = 2.0, module_low = 1.0", "module = \"low-power\"", "module"),
        ("port = 2.0", "serdes = 0.1", "serdes"),
    ] {
        let told = told(watts, parts);
        assert!(told.contains(&format!("write part_watts.{part} = ...")) && told.contains("x.toml:"), "{told}");
    }
}

/// Two timers for one state are refused, whichever way they are written.
#[test]
fn one_state_has_one_timer() {
    let one = "states.list = [{ name = \"only\", power = 0.3, enter = \"0 us\", wake = \"1 us\" }]";
    for timers in ["shallow = \"1 us\", deep = \"10 us\"", "timers = [\"1 us\", \"10 us\"]"] {
        let told = wrong_section(&format!("[power]\npolicy = {{ kind = \"stall-timer\", {timers} }}\n{one}\n"));
        assert!(told.contains("2 timers for 1 sleep state") && told.contains("only"), "{told}");
    }
    for timer in ["shallow = \"1 us\"", "deep = \"10 us\"", "timers = [\"1 us\"]"] {
        notes(&format!("policy = {{ kind = \"stall-timer\", {timer} }}\n{one}"));
    }
}

/// The default states are those of Ethernet.
#[test]
fn policies_of_other_links_have_no_default_states() {
    let whole = |policy: &str, states: &str| {
        format!(
            "[network]\nkind = \"torus\"\ndims = [2]\ntrunk = 2\n[power]\npolicy = {{ {policy} }}\n{states}\n{TRAFFIC}"
        )
    };
    for policy in ["kind = \"nvlink\", threshold = 1000", "kind = \"standby\""] {
        for states in ["", "states = { transition = 0.5 }"] {
            let told = crate::support::wrong(&whole(policy, states));
            assert!(told.contains("this policy has no default states") && told.contains("power.states.list"), "{told}");
        }
        for states in ["states = \"saravanan-2018\"", "states.deep = { power = 0.2 }"] {
            case(&whole(policy, states));
        }
        let ideal = "[network]\nkind = \"ideal\"\nnodes = 4\nlatency = \"1 us\"\n";
        crate::support::system(&format!("{ideal}[power]\npolicy = {{ {policy} }}\n"));
    }
}

/// 1,000 units of 50 us are 50 ms; 1,023 and 8,191 are the largest thresholds.
#[test]
fn thresholds_of_nvlink() {
    let deep = |keys: &str| {
        let policy = format!("[power]\npolicy = {{ kind = \"nvlink\", {keys} }}\nstates = \"saravanan-2018\"\n");
        let case = case(&format!("[network]\nkind = \"torus\"\ndims = [2]\n{policy}{TRAFFIC}"));
        case.system.policy.stall_timers().unwrap()[1].deep
    };
    assert_eq!(deep("threshold = 1000"), Time::from_us(50_000));
    assert_eq!(deep("threshold = 1023"), Time::from_us(51_150));
    assert_eq!(deep("threshold = 8191, unit = \"100 us\""), Time::from_us(819_100));
    for (keys, most) in
        [("threshold = 1024", 1_023), ("threshold = 8192, unit = \"100 us\"", 8_191), ("threshold = 0", 1_023)]
    {
        let told = wrong_section(&format!("[power]\npolicy = {{ kind = \"nvlink\", {keys} }}\n"));
        assert!(told.contains(&format!("devices take 1 to {most}")), "{told}");
    }
    let told = wrong_section("[power]\npolicy = { kind = \"nvlink\", threshold = 10, unit = \"25 us\" }\n");
    assert!(told.contains("25 us"), "{told}");
}

/// Spare links stand by where there are some, in a state that has a name.
#[test]
fn wrong_standby() {
    let trunk = |keys: &str| {
        let states = "states.list = [{ name = \"module\", power = 0.3, enter = \"1 s\", wake = \"5 s\" }]";
        format!("[power]\npolicy = {{ kind = \"standby\", {keys} }}\n{states}\n")
    };
    for (keys, message) in [
        ("every = \"1 us\"", "every 1 us: that is out of range"),
        ("paths = 0", "with no path left"),
        ("off = 0.6", "up and down in turn at a constant load"),
        ("off = 0.0", "or never down"),
        ("budget = 1.5", "is no share"),
        ("", "have none beside them: without one, no packet would arrive"),
    ] {
        let told = wrong_section(&trunk(keys));
        assert!(told.contains(message) && told.contains("x.toml:"), "{keys}: {told}");
    }
    let whole = |keys: &str| format!("[network]\nkind = \"torus\"\ndims = [2]\ntrunk = 4\n{}{TRAFFIC}", trunk(keys));
    let told = crate::support::wrong(&whole("state = \"modlue\""));
    assert!(told.contains("modlue") && told.contains("module"), "{told}");
    let case = case(&whole("budget = 0.75, paths = 2"));
    let drowse_core::power::ClassPolicy::Standby(standby) = &case.system.policy.classes()[1] else {
        panic!("no standby")
    };
    assert_eq!((standby.every, standby.least(4)), (Time::from_us(60_000_000), 2));
    assert_eq!(standby.state, drowse_core::power::LinkState::Shallow, "the only state of the list");
}
