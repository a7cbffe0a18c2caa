//! The runtime system from an experiment file to its figures.

use drowse_experiment::load_case;
use drowse_run::request::RunRequest;
use drowse_run::threads::Threads;
use drowse_tables::Row;

use crate::support::{case, root, wrong_section};

/// A row of four nodes, of which the first two exchange in eight iterations.
fn experiment(policy: &str, more: &str) -> String {
    format!(
        "
        [network]
        kind = \"mesh\"
        dims = [4]
        [power]
        policy = {policy}
        {more}
        [[job]]
        app = {{ kind = \"stencil\", dims = [2], bytes = \"1 KiB\", compute = \"1 ms\", iterations = 8 }}
        "
    )
}

fn figures(experiment: &str, threads: usize) -> Row {
    let case = case(experiment);
    let run = RunRequest { threads: Threads::exactly(threads), ..RunRequest::new(&case) }.run();
    run.unwrap_or_else(|error| panic!("{error}")).case.case_row()
}

fn refusal(experiment: &str) -> String {
    let run = RunRequest::new(&case(experiment)).run();
    run.map(|_| ()).expect_err("an error").to_string()
}

#[test]
fn figures_tell_what_it_has_done() {
    let row = figures(&experiment("{ kind = \"runtime\" }", ""), 2);
    let number = |name: &str| row.number(name).unwrap_or_else(|| panic!("{name} is absent"));
    assert_eq!(number("runtime.iterations"), 8.0);
    assert_eq!((number("runtime.channels_commanded"), number("runtime.channels_marked")), (6.0, 2.0));
    assert_eq!(
        (number("runtime.notifications"), number("runtime.relearned"), number("runtime.woken")),
        (2.0, 0.0, 0.0)
    );
    assert_eq!(number("runtime.detecting"), 0.0);
    assert!((0.002..0.0021).contains(&number("runtime.learned_s")));
    // The calls fall into an iteration that is neither learned from nor begins under command.
    let difference = number("runtime.iteration_learned_s") - number("runtime.iteration_after_s");
    assert!(difference.abs() < 1e-8, "{difference}");
    assert_eq!(row.number("runtime.turned_down_s"), None);
    // Four of six channels for six of eight iterations, nearly.
    assert!((number("links.deep_fraction") - 4.0 / 6.0 * 6.0 / 8.0).abs() < 0.01);
    // Other policies have no such figures.
    let others = figures(&experiment("{ kind = \"immediate\" }", ""), 1);
    assert!(others.number("runtime.iterations").is_none());
}

#[test]
fn a_schedule_saves_more() {
    let deep = |mode: &str| {
        let policy = format!("{{ kind = \"runtime\", mode = \"{mode}\", margin = \"100 us\" }}");
        figures(&experiment(&policy, ""), 1).number("links.deep_fraction").unwrap()
    };
    let (basic, scheduled) = (deep("basic"), deep("scheduled"));
    // The other two channels rest in three of eight iterations, for 800 us each.
    assert!((scheduled - basic - 2.0 / 6.0 * 3.0 * 0.8 / 8.0).abs() < 0.02, "{basic} {scheduled}");
}

#[test]
fn the_example_saves_without_delay() {
    let case = load_case(&root("examples/runtime.toml"), &[]).unwrap_or_else(|error| panic!("{error}"));
    let outcome = RunRequest { baseline: Some(&case.always_on()), ..RunRequest::new(&case) }
        .run()
        .unwrap_or_else(|error| panic!("{error}"))
        .case;
    let row = outcome.case_row();
    let number = |name: &str| row.number(name).unwrap_or_else(|| panic!("{name} is absent"));
    assert_eq!((number("runtime.woken"), number("links.delayed_messages")), (0.0, 0.0));
    // Two calls of 20 us in iterations of 10 ms; channels rest for some 8 ms in 15 of 20, at least.
    let (makespan, deep) = (number("relative.makespan"), number("links.deep_fraction"));
    assert!(makespan < 1.005 && deep > 0.55, "{makespan} {deep}");
}

#[test]
fn what_it_cannot_do_is_refused() {
    let both = refusal(&experiment("{ kind = \"runtime\" }", "directions = \"both\""));
    assert!(both.contains("commands each channel for itself"), "{both}");
    let two = "channels = \"all\"\n[[power.class]]\nclass = \"node\"\npolicy = { kind = \"runtime\", learn = 3 }";
    let two = refusal(&experiment("{ kind = \"runtime\" }", two));
    assert!(two.contains("there is one runtime system"), "{two}");
    let open_loop = "[network]\nkind = \"torus\"\ndims = [4]\n[power]\npolicy = { kind = \"runtime\" }\n[traffic]\nload = 0.1\nwarmup = \"100 cycles\"\nmeasure = \"1000 cycles\"\n";
    let open_loop = refusal(open_loop);
    assert!(open_loop.contains("open-loop traffic has none"), "{open_loop}");
}

#[test]
fn wrong_rules_are_told() {
    insta::assert_snapshot!(wrong_section("[power]\npolicy = { kind = \"runtime\", learn = 0 }"), @r#"
    x.toml:5:38: error: `power.policy.learn` = 0 is out of range
     5 | policy = { kind = "runtime", learn = 0 }
       |                                      ^
    help: write the number of iterations that are learned from, 1 to 1000
    "#);
    insta::assert_snapshot!(wrong_section("[power]\npolicy = { kind = \"runtime\", mode = \"fast\" }"), @r#"
    x.toml:5:37: error: `power.policy.mode` = "fast" is not known
     5 | policy = { kind = "runtime", mode = "fast" }
       |                                     ^^^^^^
    help: this version knows: basic, scheduled
    "#);
    insta::assert_snapshot!(wrong_section("[power]\npolicy = { kind = \"runtime\", slowdown = -0.1 }"), @r#"
    x.toml:5:41: error: `power.policy.slowdown` = -0.1 is out of range
     5 | policy = { kind = "runtime", slowdown = -0.1 }
       |                                         ^^^^
    help: write a number, 0.0 or more
    "#);
}
