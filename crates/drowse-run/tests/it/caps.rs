//! A cap on the power of a network in watts: the floor and the cap by hand, and what the cap costs in run time.

use drowse_experiment::load_case;
use drowse_run::request::RunRequest;
use drowse_tables::Row;

use crate::support::case;

/// Two switches of 100 W with four nodes each and four links between them, of 10 Gb/s. A channel draws 5 W, and half in
/// deep sleep. So all draw 2 x 100 + (2 x 8 + 8) x 5 = 320 W, and of 8 channels between the switches 6 may sleep, each
/// of which saves 2.5 W: the floor is 305 W.
fn experiment(policy: &str, bytes: &str) -> String {
    format!(
        "
        [network]
        kind = \"mesh\"
        dims = [2]
        trunk = 4
        nodes = 4
        [link]
        bandwidth = \"10 Gb/s\"
        [power]
        policy = {policy}
        states = {{ deep = {{ power = 0.5, enter = \"1 us\", wake = \"2 us\" }} }}
        watts = {{ switch = 100.0, on = 5.0, per_bit = 0.0, per_packet = 0.0 }}
        [[job]]
        app = {{ kind = \"ping-pong\", ranks = 8, bytes = \"{bytes}\", iterations = 1 }}
        "
    )
}

fn row(policy: &str) -> Row {
    let text = experiment(policy, "4 MB");
    let case = case(&text);
    let baseline = case.always_on();
    let run = RunRequest { baseline: Some(&baseline), ..RunRequest::new(&case) }.run();
    run.unwrap_or_else(|error| panic!("{error}")).case.case_row()
}

fn number(row: &Row, name: &str) -> f64 {
    row.number(name).unwrap_or_else(|| panic!("no {name}"))
}

/// A cap of 310 W leaves 5 W: two of the channels that may sleep. Four pairs of ranks send 4 MB to the other switch, and then
/// back: each direction fills its links. While one direction sends, it has three of four links: a third longer.
#[test]
fn by_hand() {
    let row = row("{ kind = \"cap\", cap = \"310 W\", window = \"20 us\", reaction = \"1 us\" }");
    assert_eq!(
        ["cap.w", "cap.floor_w", "cap.all_w", "cap.most_w"].map(|name| number(&row, name)),
        [310.0, 305.0, 320.0, 310.0]
    );
    let slowdown = number(&row, "relative.makespan");
    assert!((4.0 / 3.0..1.36).contains(&slowdown), "{slowdown}");
    let highest = number(&row, "cap.highest_w");
    assert!((309.0..310.0 + 1e-6).contains(&highest), "{highest}");
    // One link for each of 25,600 us / 3 is refused.
    let refused = number(&row, "cap.refused_s");
    let alone = number(&row, "makespan_s");
    assert!((0.95 * alone..=1.05 * alone).contains(&refused), "{refused} of {alone}");
}

/// The whole power as a cap changes nothing, and a share is one of it.
#[test]
fn as_a_share() {
    let all = row("{ kind = \"cap\", cap = 1.0 }");
    assert_eq!((number(&all, "relative.makespan"), number(&all, "cap.refused_s")), (1.0, 0.0));
    assert!((number(&all, "cap.highest_w") - 320.0).abs() < 1e-6);
    assert_eq!(number(&all, "cap.w"), 320.0);
    let part = row("{ kind = \"cap\", cap = 0.953125 }");
    assert_eq!((number(&part, "cap.w"), number(&part, "cap.floor_w")), (305.0, 305.0));
}

/// What a cap costs in run time. A mild one changes hardly more than who comes first; one near the floor costs more.
#[test]
fn the_example_gets_slower() {
    let path = crate::support::root("examples").join("power-cap.toml");
    let time = |cap: &str| {
        let trace = format!("job.0.trace='{}'", crate::support::root("traces/is.A.16.tar.zst").display());
        let overrides = ["sweep={}", "network.nodes=1", &trace, &format!("power.policy.cap={cap}")].map(str::to_owned);
        let case = load_case(&path, &overrides).unwrap_or_else(|error| panic!("{error}"));
        let outcome = RunRequest::new(&case).run().unwrap_or_else(|error| panic!("{error}")).case;
        number(&outcome.case_row(), "makespan_s")
    };
    let [all, mild, hard] = ["1.0", "0.75", "0.65"].map(time);
    assert!((mild / all - 1.0).abs() < 0.001 && hard > mild.max(all), "{all} {mild} {hard}");
}
