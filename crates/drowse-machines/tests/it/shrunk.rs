//! A machine that fails is made small, and still fails.

use drowse_machines::shrink::shrink;
use drowse_machines::{Machine, generate};

#[test]
fn what_does_not_matter_is_taken_away() {
    let text = "
        seed = 7
        [network]
        kind = \"torus\"
        dims = [6, 4, 3]
        nodes = 2
        [power]
        policy = { kind = \"stall-timer\", shallow = \"100 ns\", deep = \"2 us\" }
        [[job]]
        trace = \"a.ti\"
        [[job]]
        trace = \"b.ti\"
    ";
    let mut machine = Machine { tables: text.parse().unwrap(), files: Vec::new() };
    machine.add_file("a.ti", "1\n2\n3\n4\n5\n".into());
    machine.add_file("b.ti", "6\n".into());
    // Fails with a first dimension above 3, a deep timer, and the line 4 of the first trace.
    let fails = |machine: &Machine| {
        let network = machine.tables.get("network").and_then(|network| network.get("dims")?.get(0)?.as_integer());
        let deep = machine.tables.get("power").and_then(|power| power.get("policy")?.get("deep"));
        let line = machine.files.iter().any(|file| file.name == "a.ti" && file.text.contains('4'));
        network.is_some_and(|size| size > 3) && deep.is_some() && line && machine.text().contains("a.ti")
    };
    assert!(fails(&machine));
    let small = shrink(&machine, fails);
    let expected = "
        network.dims = [4]
        power.policy.deep = \"0 us\"
        job = [{ trace = \"a.ti\" }]
    ";
    assert_eq!(small.tables, expected.parse().unwrap(), "{small}");
    assert_eq!(small.files.iter().map(|file| file.text.as_str()).collect::<Vec<_>>(), ["4\n"]);
}

/// Tables and files that do not matter go as a whole.
#[test]
fn any_machine_can_be_made_small() {
    let folder = tempfile::tempdir().unwrap();
    for seed in 0..20 {
        let machine = generate::machine(seed, folder.path());
        let small = shrink(&machine, |machine| machine.tables.contains_key("network"));
        assert_eq!(small.tables.len(), 1, "{small}");
        assert_eq!(small.files, []);
    }
}
