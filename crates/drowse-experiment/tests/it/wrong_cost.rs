//! Errors of `[cost]`.

use crate::support::wrong_section;

#[test]
fn a_power_without_unit() {
    insta::assert_snapshot!(wrong_section("[cost]\nsystem_power = 20\nprice = 0.1\nyears = 4"), @r#"
    x.toml:5:16: error: `cost.system_power`: integer `20` has the wrong type
     5 | system_power = 20
       |                ^^
    help: write a power with its unit in quotes, such as "20 MW"
    "#);
}

#[test]
fn an_energy_for_a_power() {
    insta::assert_snapshot!(wrong_section("[cost]\nsystem_power = \"20 MWh\"\nprice = 0.1\nyears = 4"), @r#"
    x.toml:5:16: error: `cost.system_power`: `20 MWh` has no unit that is known here (known: W, kW, MW, GW); write it like "20 MW"
     5 | system_power = "20 MWh"
       |                ^^^^^^^^
    "#);
}

#[test]
fn no_price() {
    insta::assert_snapshot!(wrong_section("[cost]\nsystem_power = \"20 MW\"\nyears = 4"), @r#"
    x.toml:4:1: error: `cost.price` is missing
     4 | [cost]
       | ^^^^^^
    help: write price = 0.114, the money for a kWh
    "#);
}

#[test]
fn a_share_in_percent() {
    let text = "[cost]\nsystem_power = \"20 MW\"\nprice = 0.1\nyears = 4\nnetwork = 12";
    insta::assert_snapshot!(wrong_section(text), @r#"
    x.toml:8:11: error: `cost.network` = 12 is no share
     8 | network = 12
       |           ^^
    help: write a number from 0.0 to 1.0
    "#);
}

#[test]
fn years_without_end() {
    insta::assert_snapshot!(wrong_section("[cost]\nsystem_power = \"20 MW\"\nprice = 0.1\nyears = inf"), @r#"
    x.toml:7:9: error: `cost.years` = inf is out of range
     7 | years = inf
       |         ^^^
    help: write a number, 0.0 or more
    "#);
}
