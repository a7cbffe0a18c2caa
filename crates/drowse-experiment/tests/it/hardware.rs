//! Models of switches, media, modules and chassis: what they draw, and what nobody sells.

use std::fs;

use drowse_core::power::watts::ClassWatts;
use drowse_experiment::{Drawn, load_case, load_system};
use proptest::prelude::*;

use crate::support::{TRAFFIC, system, wrong};

/// A tree of eight leaves with four nodes and four spines each way: 100 Gb/s.
const TREE: &str = "[network]\nkind = \"xgft\"\nchildren = [4, 8]\nparents = [4]\n[link]\nbandwidth = \"100 Gb/s\"\n";

fn drawn(text: &str) -> Drawn {
    system(&format!("{TREE}{text}")).watts
}

/// Returns the message of a tree whose links and watts these are.
fn refused(link: &str, watts: &str) -> String {
    wrong(&format!("{TREE}{link}\n[power.watts]\n{watts}\n{TRAFFIC}"))
}

fn assert_says(message: &str, parts: &[&str]) {
    let one_line = message.split_whitespace().collect::<Vec<_>>().join(" ");
    parts.iter().for_each(|part| assert!(one_line.contains(part), "{part}: {message}"));
}

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-9 * expected.abs(), "{found}, not {expected}");
}

/// A leaf has 8 of 36 ports in use, and draws the whole chassis. Modules do not sleep, ports do: 1.1120 W of 1.1995 W.
#[test]
fn a_chassis_draws_its_base_however_few_ports_are_used() {
    let drawn = drawn("[power.watts]\ndevice = \"nexus-9336c-fx2\"\n");
    assert!((drawn.watts.switch - 285.31).abs() < 1e-12);
    assert!(drawn.watts.switches.is_empty() && drawn.watts.models.is_none());
    let (port, plugged) = (1.129666666666669 - 0.01766666666666694, 0.08749999999999858);
    let [node, between] = [0, 1].map(|class| drawn.watts.classes[class]);
    near(between.on, port);
    near(node.on, port / 2.0);
    [node, between].iter().for_each(|class| near(class.port, plugged));
    // A hop crosses two ports, the link of a node one.
    near(between.per_bit, 2.0 * 8.70326245893343e-12);
    near(node.per_bit, 8.70326245893343e-12);
    near(between.per_packet, 2.0 * node.per_packet);
    assert_eq!(drawn.whose[0].how, "each switch a chassis, dac (assumed)");
}

/// Optics: 4.63 W a port, of which the module keeps 2.79 W.
#[test]
fn modules_of_optics_stay_on() {
    let drawn = drawn("medium = \"lr\"\n[power.watts]\ndevice = \"nexus-9336c-fx2\"\n");
    near(drawn.watts.classes[1].port, 2.7909999999999995);
    near(drawn.watts.classes[1].on, 1.9034181818181737 - 0.06261818181817769);
    assert_eq!((drawn.whose[0].how.as_str(), drawn.notes.len()), ("each switch a chassis, lr", 0));
}

/// The rule of before: 7.93 W a port for the chassis, and modules sleep.
#[test]
fn ports_share_a_chassis_where_that_is_asked_for() {
    let drawn = drawn("[power.watts]\ndevice = \"nexus-9336c-fx2\"\nchassis = \"share\"\n");
    let expected =
        ClassWatts { on: 1.1297 + 0.0698, per_bit: 2.0 * 8.59e-12, per_packet: 2.0 * 2.63e-8, port: 285.31 / 36.0 };
    assert_eq!((drawn.watts.classes[1], drawn.watts.switch), (expected, 0.0));
    assert_eq!(drawn.whose[0].rate.map(|rate| rate.0), Some(100_000_000_000));
}

/// Twelve switches in one chassis with 64 links of copper: more than Nexus has. The Arista of 32 ports has them for one
/// leaf; modules that are plugged and ports that are enabled are counted apart.
#[test]
fn switches_of_one_chassis_share_its_base() {
    let pair = |watts: &str| {
        let text = format!(
            "network = {{ kind = \"torus\", dims = [2], nodes = 3 }}\nlink = {{ bandwidth = \"100 Gb/s\" }}\n\
             [power.watts]\ndevice = \"arista-7280cr3k-32d4\"\n{watts}"
        );
        system(&text).watts.watts
    };
    // Two switches with three nodes, and one link between them: eight ports.
    let one = pair("chassis = \"one\"\n");
    near(one.switch, 266.7495 / 2.0);
    let more = pair("chassis = \"one\"\nplugged = 32\nenabled = 10\n");
    near(more.switch, (266.7495 + 24.0 * 0.22439062499999984 + 2.0 * 0.6896069518716569) / 2.0);
    let each = pair("plugged = 32\n");
    near(each.switch, 266.7495 + 28.0 * 0.22439062499999984);
    let few = wrong(&format!(
        "network = {{ kind = \"torus\", dims = [2], nodes = 3 }}\nlink = {{ bandwidth = \"100 Gb/s\" }}\n{TRAFFIC}\
         [power.watts]\ndevice = \"arista-7280cr3k-32d4\"\nplugged = 3\n"
    ));
    assert_says(&few, &["`plugged` = 3 ports of a chassis, where switch 0 has 4 links", "write a number from 4 to 36"]);
    let many = refused("", "device = \"nexus-9336c-fx2\"\nchassis = \"one\"");
    assert_says(&many, &["12 switches in one chassis have 96 links", "a chassis of nexus-9336c-fx2 has 36"]);
}

proptest! {
    /// On random trees the base power counts once for each chassis, and each plugged module once, with or without a
    /// link: all switches and ports together draw what the chassis do.
    #[test]
    fn the_base_counts_once_for_each_chassis(
        nodes in 1..6_u32,
        leaves in 2..5_u32,
        spines in 1..4_u32,
        one in any::<bool>(),
        more in 0..40_u32,
        lanes in 1..3_u32,
    ) {
        let links = leaves * (nodes + 2 * spines) * lanes;
        let largest = (nodes + spines).max(leaves) * lanes;
        let plugged = more + if one { links } else { largest };
        let text = format!(
            "[network]\nkind = \"xgft\"\nchildren = [{nodes}, {leaves}]\nparents = [{spines}]\n[link]\n\
             bandwidth = \"100 Gb/s\"\nlanes = {lanes}\n[power.watts]\ndevice = \"many\"\ndevices = \"many.toml\"\n\
             plugged = {plugged}\nchassis = \"{}\"\n",
            if one { "one" } else { "whole" }
        );
        let folder = tempfile::tempdir().unwrap();
        let device = "[[device]]\nname = \"many\"\nwhat = \"many ports\"\nbase = 250.5\nsource = \"own\"\n\
                      mark = \"assumed\"\nports = [{ form = \"QSFP28\", count = 4096, rates = [\"100 Gb/s\"] }]\n\
                      [[device.port]]\nrate = \"100 Gb/s\"\nmedium = \"dac\"\non = 1.5\nplugged = 0.25\nup = 0.5\n\
                      per_bit = 0\nper_packet = 0\n";
        fs::write(folder.path().join("many.toml"), device).unwrap();
        fs::write(folder.path().join("x.toml"), text).unwrap();
        let system = load_system(&folder.path().join("x.toml"), &[]).unwrap_or_else(|error| panic!("{error}"));
        let (network, watts) = (&system.network, &system.watts.watts);
        let of_switch = |switch: u32| {
            let ports = network.first_port[switch as usize] as usize..network.first_port[switch as usize + 1] as usize;
            let port = |&class: &u8| {
                let class = usize::from(class);
                watts.of_port(network, switch, class).port * f64::from(system.config.classes[class].lanes)
            };
            watts.of_switch(switch) + network.port_class[ports].iter().map(port).sum::<f64>()
        };
        let chassis = if one { 1.0 } else { f64::from(network.switches()) };
        let sum: f64 = (0..network.switches()).map(of_switch).sum();
        near(sum, chassis * (250.5 + 0.25 * f64::from(plugged)));
    }
}

/// The spines are of another model: channels draw half of each end, and each switch its own chassis.
#[test]
fn a_level_of_another_model() {
    let drawn = drawn(
        "[power.watts]\ndevice = \"nexus-9336c-fx2\"\n[[power.watts.switches]]\nlevel = 1\n\
         device = \"arista-7280cr3k-32d4\"\nplugged = 32\n",
    );
    let models = drawn.watts.models.clone().unwrap();
    assert_eq!((models.count, models.of_switch.iter().map(|&of| u32::from(of)).sum::<u32>()), (2, 4));
    let (nexus, arista) = (1.129666666666669 - 0.01766666666666694, 0.6896069518716569 + 0.3298569518716582);
    let between = |from: u8, to: u8| drawn.watts.classes[models.place(from, to, 1, 2)];
    near(between(0, 1).on, f64::midpoint(nexus, arista));
    near(between(1, 0).per_bit, 8.70326245893343e-12 + 1.2238482659195992e-11);
    near(drawn.watts.of_switch(0), 285.31);
    near(drawn.watts.of_switch(11), 266.7495 + 24.0 * 0.22439062499999984);
    assert_eq!(drawn.whose.iter().map(|whose| whose.name.as_str()).collect::<Vec<_>>().len(), 2);
    let named = |of: &str| refused("", &format!("[[power.watts.switches]]\n{of}\n"));
    assert_says(&named("of = [12]"), &["has no switch 12", "0 to 11"]);
    assert_says(&named("level = 2"), &["no level 2", "0 to 1"]);
    assert_says(&named("device = \"nexus-9336c-fx2\""), &["does not say which switches"]);
    assert_says(&named("of = [0]\nlevel = 0"), &["both say which switches"]);
    assert_says(&named("of = [0]\n[[power.watts.switches]]\nlevel = 0"), &["switch 0 is in two of these tables"]);
}

/// Switches of a graph have names; those of the table are one chassis, the other is one of its own.
#[test]
fn switches_of_a_graph_by_their_names() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("graph.txt"), "left middle\nmiddle right\nnode a left\nnode b right\n").unwrap();
    let load = |of: &str| {
        let text = format!(
            "network = {{ kind = \"graph\", file = \"graph.txt\" }}\nlink = {{ bandwidth = \"100 Gb/s\" }}\n\
             [power.watts]\ndevice = \"nexus-9336c-fx2\"\n[[power.watts.switches]]\nof = [{of}]\nchassis = \"one\"\n"
        );
        fs::write(folder.path().join("x.toml"), text).unwrap();
        load_system(&folder.path().join("x.toml"), &[]).map_err(|error| error.to_string())
    };
    let watts = load("\"left\", 2").unwrap().watts.watts;
    let of_switch = [0, 1, 2].map(|switch| watts.of_switch(switch));
    let expected = [285.31 / 2.0, 285.31, 285.31 / 2.0];
    assert_eq!(of_switch.map(f64::to_bits), expected.map(f64::to_bits));
    assert_says(&load("\"centre\"").expect_err("an error"), &["has no switch \"centre\""]);
}

/// A data rate that ports do not have, a medium and a module that do not go into them, a module that draws too much,
/// and states of copper on optics.
#[test]
fn combinations_that_nobody_sells() {
    let nexus = "device = \"nexus-9336c-fx2\"";
    let slow = wrong(&format!(
        "[network]\nkind = \"torus\"\ndims = [2]\n[link]\nbandwidth = \"400 Gb/s\"\n[power.watts]\n{nexus}\n{TRAFFIC}"
    ));
    assert_says(
        &slow,
        &["x.toml:5:", "have 400 Gb/s, and ports of nexus-9336c-fx2 have 100 Gb/s", "chassis = \"share\""],
    );
    assert_says(&refused("medium = \"cpo\"", nexus), &["medium \"cpo\" does not go into the ports of nexus-9336c-fx2"]);
    let osfp = refused("module = \"mms4x00-ns400\"", nexus);
    assert_says(&osfp, &["module mms4x00-ns400 (OSFP) does not go into", "QSFP28"]);
    assert_says(&refused("module = \"laq\"", nexus), &["is not known", "laq2-8485-sr"]);
    let two = refused("module = \"laq2-8485-sr\"\nmedium = \"lr\"", nexus);
    assert_says(&two, &["the module laq2-8485-sr is of medium \"sr\""]);
    let states = |states: &str| {
        let power = format!("[power]\npolicy = {{ kind = \"stall-timer\", deep = \"1 us\" }}\nstates = \"{states}\"\n");
        format!("{TREE}medium = \"lr\"\n{power}[power.watts]\n{nexus}\n{TRAFFIC}")
    };
    assert_says(&wrong(&states("eee-100g-fast-wake")), &["have no deep sleep", "write states = \"eee-optical\""]);
    assert!(system(&states("eee-optical").replace(TRAFFIC, "")).watts.notes.is_empty());
    let warned = system(&states("andujar-2019").replace(TRAFFIC, "")).watts.notes;
    assert_says(&warned.join(""), &["optical links have no deep sleep in IEEE 802.3"]);
}

/// A module of the list that goes into the ports: the port as with copper, the module as its data sheet says. One that
/// draws more than a cage allows is refused.
#[test]
fn a_module_from_the_list() {
    let drawn = drawn("module = \"laq2-8485-sr\"\n[power.watts]\ndevice = \"nexus-9336c-fx2\"\n");
    near(drawn.watts.classes[1].port, 2.0);
    near(drawn.watts.classes[1].on, 1.129666666666669);
    assert_says(&drawn.notes.join(" "), &["assumed: a port of nexus-9336c-fx2 draws with sr what it draws with dac"]);
    let folder = tempfile::tempdir().unwrap();
    let device = "[[device]]\nname = \"own\"\nwhat = \"own\"\nbase = 1\nsource = \"own\"\nmark = \"assumed\"\n\
                  ports = [{ form = \"QSFP28\", count = 32, rates = [\"100 Gb/s\"], module_limit = 1.5 }]\n";
    fs::write(folder.path().join("own.toml"), device).unwrap();
    let text =
        format!("{TREE}module = \"laq2-8485-sr\"\n[power.watts]\ndevice = \"own\"\ndevices = \"own.toml\"\n{TRAFFIC}");
    fs::write(folder.path().join("x.toml"), text).unwrap();
    let said = load_case(&folder.path().join("x.toml"), &[]).expect_err("an error").to_string();
    assert_says(&said, &["laq2-8485-sr draws up to 2 W, and a cage of own has 1.5 W"]);
}

/// What nobody has published is asked for, or left out by name.
#[test]
fn unknown_numbers_are_refused_or_left_out() {
    let arista = "device = \"arista-7280cr3k-32d4\"";
    let said = refused("medium = \"lr\"", arista);
    let parts = [
        "nobody has published what ports of arista-7280cr3k-32d4 take at 100 Gb/s with lr: the port, the module, \
         a link that is up, bits and packets",
        "dac at 100",
    ];
    assert_says(&said, &parts);
    // The only module of that rate is of another medium, so that none helps.
    assert_says(&said, &["power.watts.unknown = \"no-saving\""]);
    assert!(!said.contains("link.module") && !said.contains("power.watts.on"), "{said}");
    assert_says(&refused("medium = \"sr\"", arista), &["name a module (link.module: laq2-8485-sr), write a file"]);
    let drawn = drawn(&format!("medium = \"lr\"\n[power.watts]\n{arista}\nunknown = \"no-saving\"\n"));
    assert_eq!((drawn.watts.classes[1], drawn.watts.switch), (ClassWatts::default(), 266.7495));
    assert_says(&drawn.notes.join(" "), &["not in the watts, since nobody has published it"]);
    let base = |unknown: &str| {
        format!(
            "[network]\nkind = \"torus\"\ndims = [2]\n[link]\nbandwidth = \"800 Gb/s\"\n[power.watts]\n\
             device = \"sn5600\"\non = 9\nper_bit = 0\nper_packet = 0\n{unknown}{TRAFFIC}"
        )
    };
    assert_says(&wrong(&base("")), &["nobody has published what"]);
    // Numbers of one's own stand for what lacks, and a module from the list for its own: two links of 400 Gb/s.
    let quantum = |watts: &str| {
        format!(
            "[network]\nkind = \"torus\"\ndims = [2]\n[link]\nbandwidth = \"400 Gb/s\"\nmodule = \"mms4x00-ns-t\"\n\
             [power.watts]\ndevice = \"quantum-2-qm97x0\"\non = 4\nper_bit = 0\nper_packet = 0\n{watts}"
        )
    };
    assert_says(&wrong(&format!("{}{TRAFFIC}", quantum(""))), &["what the chassis of quantum-2-qm97x0 draws"]);
    let own = system(&quantum("switch = 300\n")).watts.watts;
    assert_eq!((own.classes[1].on, own.classes[1].port, own.switch), (4.0, 7.5, 300.0));
    let tray = refused("", "device = \"gb300-nvlink-tray\"");
    assert_says(&tray, &["nobody has published what gb300-nvlink-tray draws, or with how many ports"]);
    // Energies that were fitted for other rates and media are asked for, too, unless they are written.
    let fr =
        "[network]\nkind = \"torus\"\ndims = [2]\n[link]\nbandwidth = \"400 Gb/s\"\nmedium = \"fr\"\n[power.watts]\n";
    assert_says(&wrong(&format!("{fr}{arista}\n{TRAFFIC}")), &["with fr: bits and packets"]);
    let own = system(&format!("{fr}{arista}\nper_bit = 1e-11\nper_packet = 0\n")).watts;
    near(own.watts.classes[1].port, 5.427624999999992);
    near(own.watts.classes[1].on, 1.8164000000000124 - 0.06915862068965994);
    let payload = refused("", "device = \"cisco-8201-32fh\"\ncounting = \"payload\"");
    assert_says(&payload, &["ports of cisco-8201-32fh take at 100 Gb/s with dac: bits and packets"]);
    assert_says(&payload, &["write counting = \"published\"", " | counting = \"payload\""]);
    assert!(!payload.contains("link.bandwidth") && !payload.contains("link.module"), "{payload}");
}

/// All that lacks is told at once, and only what still helps is proposed.
#[test]
fn what_is_not_published_is_asked_for_at_once() {
    let said = |link: &str, watts: &str| {
        let link = format!("[network]\nkind = \"torus\"\ndims = [2]\n[link]\nbandwidth = \"400 Gb/s\"\n{link}");
        wrong(&format!("{link}[power.watts]\ndevice = \"quantum-2-qm97x0\"\n{watts}{TRAFFIC}"))
    };
    let nothing = said("", "");
    assert_says(&nothing, &["a link that is up, bits and packets, and what its chassis draws"]);
    assert_says(&nothing, &["name a module (link.module: mcp7y60, "]);
    assert_says(&nothing, &[") and set power.watts.on, per_bit, per_packet and switch, write a file"]);
    let own = "on = 4\nper_bit = 0\nper_packet = 0\n";
    let with_own = said("", own);
    assert_says(
        &with_own,
        &["with dac: the module, and what its chassis draws", ") and set power.watts.switch, write"],
    );
    let with_switch = said("", &format!("{own}switch = 300\n"));
    assert_says(&with_switch, &["with dac: the module", "mcp7y60"]);
    assert!(!with_switch.contains("set power.watts.on") && !with_switch.contains("chassis"), "{with_switch}");
    let with_module = said("module = \"mma4z00-ns400-t\"\n", "switch = 300\n");
    assert_says(
        &with_module,
        &["with sr: the port, bits and packets", "nothing; set power.watts.on, per_bit and per_packet"],
    );
    assert!(!with_module.contains("link.module:"), "{with_module}");
}

/// Published energies count headers: a packet of 1,082 B with 58 B of header has 1,024 / 1,082 of them. Of packets that
/// are shorter than those that were measured, the share is 256 / 314.
#[test]
fn published_energies_are_those_of_data() {
    let per_bit = |packet: u32| {
        let watts = "[power.watts]\ndevice = \"nexus-9336c-fx2\"\ncounting = \"published\"\n";
        let switch = format!("[switch]\nflit = \"{packet} B\"\npacket = \"{packet} B\"\nbuffer = \"64 KiB\"\n");
        drawn(&format!("{switch}{watts}")).watts.classes[0].per_bit
    };
    near(per_bit(1_082), 8.594514375463417e-12 * 1_024.0 / 1_082.0);
    near(per_bit(314), 8.594514375463417e-12 * 256.0 / 314.0);
    near(per_bit(64), 8.594514375463417e-12 * 256.0 / 314.0);
}

/// An energy of a packet that was fitted below 0 makes short packets impossible: below 165 B at 1 Gb/s.
#[test]
fn packets_that_would_take_less_than_nothing() {
    let text = |packet: u32| {
        format!(
            "[network]\nkind = \"torus\"\ndims = [2]\n[switch]\nflit = \"{packet} B\"\npacket = \"{packet} B\"\n\
             [link]\nbandwidth = \"1 Gb/s\"\nmedium = \"t\"\n[power.watts]\ndevice = \"n540x-8z16g-sys-a\"\n"
        )
    };
    assert_says(&wrong(&format!("{}{TRAFFIC}", text(164))), &["packets below 164 B would take less than no energy"]);
    let drawn = system(&text(165)).watts;
    assert_says(&drawn.notes.join(" "), &["its energy of a packet was fitted below 0"]);
    // A link that is up draws less than the noise: nothing sleeps, and the sum stays what was measured.
    assert!(drawn.watts.classes[1].on.abs() < 1e-12);
    near(drawn.watts.classes[1].port, 3.4162156593406525 - 0.004560439560441054);
}

/// A port of another rate stands for one that was not measured, and that is said; so is copper that is too long.
#[test]
fn another_rate_and_another_length_are_said() {
    let of = |link: &str| {
        let text = format!(
            "[network]\nkind = \"torus\"\ndims = [2]\n[link]\n{link}[power.watts]\ndevice = \"arista-7280cr3k-32d4\"\n"
        );
        system(&text).watts.notes.join(" ")
    };
    assert_says(&of("bandwidth = \"50 Gb/s\"\n"), &["no numbers for 50 Gb/s with dac, so ports draw as at 100 Gb/s"]);
    assert_eq!(of("bandwidth = \"100 Gb/s\"\nlatency = \"25 ns\"\n"), "");
    assert_says(&of("bandwidth = \"100 Gb/s\"\nlatency = \"26 ns\"\n"), &["passive copper has 25 ns at most"]);
}

/// A switch that was measured as a whole has no chassis of its own.
#[test]
fn a_whole_switch_has_no_parts() {
    assert_says(
        &refused("", "chassis = \"whole\""),
        &["the parts of slingshot-archer2 are not known", "leave `chassis` out"],
    );
    assert_says(&refused("", "plugged = 8"), &["`plugged` counts the ports of a chassis"]);
}

/// A file of devices is read, and what is wrong in it is told at its place.
#[test]
fn a_file_of_devices() {
    let folder = tempfile::tempdir().unwrap();
    let load = |devices: &str| {
        fs::write(folder.path().join("own.toml"), devices).unwrap();
        let text = format!("{TREE}[power.watts]\ndevice = \"own\"\ndevices = \"own.toml\"\n");
        fs::write(folder.path().join("x.toml"), text).unwrap();
        load_system(&folder.path().join("x.toml"), &[]).map(|system| system.watts).map_err(|error| error.to_string())
    };
    let device = |port: &str| {
        format!(
            "[[device]]\nname = \"own\"\nwhat = \"own\"\nbase = 100\nsource = \"own\"\nmark = \"measured\"\n\
             ports = [{{ form = \"QSFP28\", count = 32, rates = [\"100 Gb/s\"] }}]\n\
             [[device.port]]\nrate = \"100 Gb/s\"\nmedium = \"dac\"\nplugged = 0\nup = 0\n\
             per_bit = 0\nper_packet = 0\n{port}"
        )
    };
    assert!((load(&device("on = 2\n")).unwrap().watts.classes[1].on - 2.0).abs() < 1e-12);
    let said = |port: &str| load(&device(port)).expect_err("an error");
    assert_says(&said("on = nan\n"), &["own.toml:15:", "NaN is no number", "\"unknown\""]);
    assert_says(&said("on = \"much\"\n"), &["own.toml:15:", "write a number or \"unknown\""]);
    assert_says(&said("on = -1\n"), &["own.toml:8:", "the powers of a port sum to -1 W"]);
    assert_says(&said("power = 1\n"), &["unknown key", "keys known here"]);
    assert_says(&said(""), &["ports of own take at 100 Gb/s with dac: the port"]);
    fs::remove_file(folder.path().join("own.toml")).unwrap();
    let gone = load_system(&folder.path().join("x.toml"), &[]).expect_err("an error").to_string();
    assert_says(&gone, &["own.toml cannot be read", "write the name of a TOML file"]);
}
