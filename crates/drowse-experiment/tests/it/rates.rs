//! Series of prices and carbon intensities, and what is said of wrong ones.

use std::fmt::Write as _;
use std::fs;

use drowse_core::model::units::Time;
use drowse_core::power::rate::{Rate, Steps};
use drowse_experiment::{Case, load_case};

use crate::support::{NETWORK, TRAFFIC};

/// Resolves an experiment with a section `[cost]` beside a file `series.csv`.
fn read(cost: &str, series: &str) -> Result<Case, String> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("series.csv"), series).unwrap();
    fs::write(folder.path().join("x.toml"), format!("{NETWORK}[cost]\n{cost}\n{TRAFFIC}")).unwrap();
    load_case(&folder.path().join("x.toml"), &[])
        .map_err(|error| error.to_string().replace(&format!("{}/", folder.path().display()), ""))
}

const PRICE: &str = "price = { file = \"series.csv\" }";
const CARBON: &str = "carbon = { file = \"series.csv\" }";
const HOUR: i64 = 3_600_000_000;

fn steps(rate: Option<&Rate>) -> &Steps {
    match rate {
        Some(Rate::Steps(steps)) => steps,
        other => panic!("{other:?} is no series"),
    }
}

fn prices(series: &str) -> Case {
    read(PRICE, series).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns the value at each hour from a moment on, in seconds since 1970.
fn hourly(case: &Case, from: i64, hours: i64) -> Vec<Option<f64>> {
    let steps = steps(case.system.tariff.price.as_ref());
    (0..hours).map(|hour| steps.mean_over(from * 1_000_000 + hour * HOUR, Time::ZERO)).collect()
}

/// Two days of hours, each hour with the price of its place, as the local clocks of Central Europe show them.
fn day_ahead(hours: &[(&str, &str, &str)], header: &str) -> String {
    let line = |&(from, to, price): &(&str, &str, &str)| format!("\"{from} - {to}\",{price},\n");
    format!("{header}\n{}", hours.iter().map(line).collect::<String>())
}

const ENTSOE: &str = "\"MTU (CET/CEST)\",\"Day-ahead Price [EUR/MWh]\",\"Currency\"";

/// In March the clocks go from 02:00 to 03:00; midnight of 31 March 2024 is 23:00 UTC, 1711839600.
#[test]
fn the_hour_that_is_left_out() {
    let before = ("31.03.2024 00:00", "31.03.2024 01:00", "10");
    let last = ("31.03.2024 01:00", "31.03.2024 02:00", "20");
    let none = ("31.03.2024 02:00", "31.03.2024 03:00", "-");
    let after = ("31.03.2024 03:00", "31.03.2024 04:00", "-5.5");
    let joined = ("31.03.2024 01:00", "31.03.2024 03:00", "20");
    for hours in [vec![before, last, none, after], vec![before, last, after], vec![before, joined, after]] {
        let case = prices(&day_ahead(&hours, ENTSOE));
        assert_eq!(hourly(&case, 1_711_839_600, 4), [Some(0.01), Some(0.02), Some(-0.0055), None], "{hours:?}");
        assert!(case.system.notes.is_empty());
    }
    let wrong = ("31.03.2024 02:00", "31.03.2024 03:00", "30");
    let error = read(PRICE, &day_ahead(&[before, last, wrong], ENTSOE)).unwrap_err();
    assert!(error.contains("series.csv:4:2: error: clocks do not show this time"), "{error}");
}

/// In October they go from 03:00 back to 02:00, so that an hour comes twice; 00:00 of 27 October 2024 is 22:00 UTC,
/// 1729980000.
#[test]
fn the_hour_that_comes_twice() {
    let hour = |from: &'static str, to: &'static str, price: &'static str| (from, to, price);
    let hours = [
        hour("27/10/2024 00:00:00", "27/10/2024 01:00:00", "1"),
        hour("27/10/2024 01:00:00", "27/10/2024 02:00:00", "2"),
        hour("27/10/2024 02:00:00", "27/10/2024 03:00:00", "3"),
        hour("27/10/2024 02:00:00", "27/10/2024 03:00:00", "4"),
        hour("27/10/2024 03:00:00", "27/10/2024 04:00:00", "5"),
    ];
    let header = "MTU (CET),Day-ahead Price [EUR/MWh],BZN|DE-LU";
    let case = prices(&day_ahead(&hours, header));
    let all: Vec<Option<f64>> = (1..=5).map(|price| Some(f64::from(price) / 1_000.0)).collect();
    assert_eq!(hourly(&case, 1_729_980_000, 5), all);
    // A zone beside the time says which it is; a file with one of both has a gap of an hour.
    let zoned = [hours[0], hours[1], ("27/10/2024 02:00:00 (CET)", "27/10/2024 03:00:00 (CET)", "4"), hours[4]];
    let case = prices(&day_ahead(&zoned, header));
    assert_eq!(hourly(&case, 1_729_980_000, 5), [all[0], all[1], None, all[3], all[4]]);
    assert_eq!(case.system.notes, ["series.csv: 1 of 5 hours have no value; means are over the others"]);
}

/// Quarters: eight of them between 02:00 and 03:00, the last of the first four ending when clocks go back.
#[test]
fn quarters_of_october() {
    let mut text = String::from("MTU;Day-ahead Price (EUR/MWh)\n");
    for (round, first) in [(0, 100), (1, 200)] {
        for quarter in 0..4 {
            let end = if quarter == 3 {
                if round == 0 { "02:00" } else { "03:00" }
            } else {
                ["02:15", "02:30", "02:45"][quarter]
            };
            let begin = ["02:00", "02:15", "02:30", "02:45"][quarter];
            let _ = writeln!(text, "26.10.2025 {begin} - 26.10.2025 {end};{}", first + quarter);
        }
    }
    let case = prices(&text);
    let steps = steps(case.system.tariff.price.as_ref());
    // 00:00 UTC of 26 October 2025.
    assert_eq!(steps.span(), 1_761_436_800_000_000..1_761_444_000_000_000);
    let values: Vec<Option<f64>> =
        (0..8).map(|quarter| steps.mean_over(1_761_436_800_000_000 + quarter * HOUR / 4, Time::ZERO)).collect();
    let expected = [0.1, 0.101, 0.102, 0.103, 0.2, 0.201, 0.202, 0.203].map(Some);
    assert_eq!(values, expected);
}

/// Both spellings of both series, with the small 2 of CO₂.
#[test]
fn electricity_maps() {
    let rows = "2024-01-01 00:00:00,DE,Germany,300.5,380.25\n2024-01-01 01:00:00,DE,Germany,310,390\n";
    let new = "Datetime (UTC),Zone id,Country,Carbon intensity gCO\u{2082}eq/kWh (direct),\
               Carbon intensity gCO\u{2082}eq/kWh (Life cycle)";
    let old = "Datetime (UTC),Zone Id,Country,Carbon Intensity gCO\u{2082}eq/kWh (direct),\
               Carbon Intensity gCO\u{2082}eq/kWh (LCA)";
    for header in [new, old] {
        let mean = |cost: &str| {
            let case = read(cost, &format!("{header}\n{rows}")).unwrap_or_else(|error| panic!("{error}"));
            steps(case.system.tariff.carbon.as_ref()).mean()
        };
        assert_eq!(mean(CARBON), Some(385.125));
        assert_eq!(mean("carbon = { file = \"series.csv\", series = \"direct\" }"), Some(305.25));
    }
}

/// Each value holds until the next one of its host, in seconds of the simulation.
#[test]
fn the_plugin_of_simgrid() {
    let text = "host_id,timestamp,carbon_intensity\nMyHost1,0,100\nMyHost2,0,7\nMyHost1,10,200\nMyHost1,30,50\n";
    let case = read("carbon = { file = \"series.csv\", host = \"MyHost1\" }\nstart = \"5\"", text).unwrap();
    let steps = steps(case.system.tariff.carbon.as_ref());
    assert_eq!(steps.mean_over(5_000_000, Time::from_us(20_000_000)), Some(175.0));
    assert_eq!((steps.span(), case.system.tariff.start), (0..50_000_000, Some(5_000_000)));
}

/// A series of one number is the number, to the last digit.
#[test]
fn a_constant_series_equals_the_number() {
    for number in ["0.1", "0.114", "0.276", "1", "0.333333333333"] {
        let text = format!("time,value\n2024-01-01T00:00:00Z,{number}\n2024-01-01T01:00:00Z,{number}\n");
        let [series, constant] = [prices(&text), read(&format!("price = {number}"), "").unwrap()];
        let mean = |case: &Case| case.system.tariff.price.as_ref().and_then(Rate::mean);
        assert_eq!(mean(&series), mean(&constant), "{number}");
    }
}

/// Returns the message of what is wrong.
fn wrong(cost: &str, series: &str) -> String {
    read(cost, series).err().unwrap_or_else(|| panic!("nothing is wrong with {cost} {series}"))
}

#[test]
fn no_such_file() {
    let error = wrong("price = { file = \"other.csv\" }", "");
    assert!(error.starts_with("x.toml:5:18: error: the series other.csv cannot be read"), "{error}");
}

#[test]
fn unknown_columns() {
    insta::assert_snapshot!(wrong(PRICE, "hour,price\n0,0.2\n"), @r#"
    series.csv:1:1: error: these columns are no series that is known
     1 | hour,price
       | ^^^^^^^^^^
    help: write a line time,value and the series below it; known are day-ahead prices of ENTSO-E (MTU, Day-ahead Price [EUR/MWh]); carbon intensities of Electricity Maps (Datetime (UTC), Carbon intensity); carbon intensities of SimGrid (host_id, timestamp, carbon_intensity); time,value
    "#);
}

#[test]
fn prices_of_carbon() {
    insta::assert_snapshot!(wrong(CARBON, &day_ahead(&[("31.03.2024 00:00", "31.03.2024 01:00", "10")], ENTSOE)), @r#"
    series.csv:1:2: error: these are prices, and carbon intensities are wanted
     1 | "MTU (CET/CEST)","Day-ahead Price [EUR/MWh]","Currency"
       |  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    help: name the file at cost.price
    "#);
}

#[test]
fn a_price_that_is_no_number() {
    insta::assert_snapshot!(wrong(PRICE, "time,value\n2024-01-01T00:00:00Z,0.2\n2024-01-01T01:00:00Z,cheap\n"), @r#"
    series.csv:3:22: error: `cheap` is no number
     3 | 2024-01-01T01:00:00Z,cheap
       |                      ^^^^^
    help: write a number, or nothing where none is known
    "#);
}

#[test]
fn a_comma_in_a_number() {
    insta::assert_snapshot!(wrong(PRICE, "time;value\n2024-01-01T00:00:00Z;0,2\n2024-01-01T01:00:00Z;0,3\n"), @r#"
    series.csv:2:22: error: `0,2` has a comma
     2 | 2024-01-01T00:00:00Z;0,2
       |                      ^^^
    help: write a point before decimals, such as 85.23
    "#);
}

#[test]
fn times_out_of_order() {
    insta::assert_snapshot!(wrong(PRICE, "time,value\n2024-01-01T01:00:00Z,0.2\n2024-01-01T00:00:00Z,0.3\n"), @r#"
    series.csv:3:1: error: 2024-01-01T00:00:00Z is a time before the line above
     3 | 2024-01-01T00:00:00Z,0.3
       | ^^^^^^^^^^^^^^^^^^^^
    help: write each time once, the earliest first; of several series in a file, keep one
    "#);
}

#[test]
fn a_day_that_is_none() {
    insta::assert_snapshot!(wrong(PRICE, "time,value\n2023-02-29,0.2\n2023-03-01,0.3\n"), @r#"
    series.csv:2:1: error: `2023-02-29` is no time
     2 | 2023-02-29,0.2
       | ^^^^^^^^^^
    help: write a moment of UTC such as 2024-01-15T08:00:00Z, or seconds
    "#);
}

#[test]
fn nothing_is_known() {
    insta::assert_snapshot!(wrong(PRICE, "time,value\n0,-\n3600,n/a\n"), @r#"
    series.csv:3:1: error: no value of this series is known
     3 | 3600,n/a
       | ^^^^
    help: write numbers, at least one
    "#);
}

#[test]
fn several_hosts() {
    insta::assert_snapshot!(wrong(CARBON, "host_id,timestamp,carbon_intensity\na,0,1\na,5,2\nb,0,3\n"), @r#"
    series.csv:1:1: error: the file has series of 2 hosts
     1 | host_id,timestamp,carbon_intensity
       | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    help: write host, one of a, b
    "#);
}

#[test]
fn a_start_beyond_the_series() {
    let series = "time,value\n2024-01-01T00:00:00Z,0.2\n2024-01-01T01:00:00Z,0.3\n";
    insta::assert_snapshot!(wrong(&format!("{PRICE}\nstart = \"2024-02-01T00:00:00Z\""), series), @r#"
    x.toml:6:9: error: series.csv has no value at 2024-02-01T00:00:00Z
     6 | start = "2024-02-01T00:00:00Z"
       |         ^^^^^^^^^^^^^^^^^^^^^^
    help: write a time between 2024-01-01T00:00:00Z and 2024-01-01T02:00:00Z
    "#);
}

#[test]
fn seconds_for_a_calendar() {
    let series = "time,value\n2024-01-01T00:00:00Z,0.2\n2024-01-01T01:00:00Z,0.3\n";
    insta::assert_snapshot!(wrong(&format!("{PRICE}\nstart = \"3600\""), series), @r#"
    x.toml:6:9: error: `cost.start` = "3600" is no time of series.csv, which has others
     6 | start = "3600"
       |         ^^^^^^
    help: write a time between 2024-01-01T00:00:00Z and 2024-01-01T02:00:00Z
    "#);
}

#[test]
fn a_start_that_is_no_moment() {
    let series = "time,value\n2024-01-01T00:00:00Z,0.2\n2024-01-01T01:00:00Z,0.3\n";
    let error = wrong(&format!("{PRICE}\nstart = \"soon\""), series);
    assert!(error.starts_with("x.toml:6:9: error: `cost.start` = \"soon\" is no moment"), "{error}");
    // For a number, it is always the same time.
    assert_eq!(read("price = 0.2\nstart = \"2024-01-01\"", "").unwrap().system.tariff.start, None);
}

#[test]
fn a_building_that_needs_less() {
    insta::assert_snapshot!(wrong("price = 0.2\npue = 0.9", ""), @r#"
    x.toml:6:7: error: `cost.pue` = 0.9 is out of range: a building needs no less than the machine in it
     6 | pue = 0.9
       |       ^^^
    help: write a number from 1.0 to 10.0, such as 1.3
    "#);
}

#[test]
fn parts_that_are_counted_twice() {
    let parts = "years = 5\n[[cost.part]]\npart = \"cable\"\nprice = 80\n[[cost.part]]\npart = \"cable\"\n\
                 class = \"node\"\nprice = 90";
    insta::assert_snapshot!(wrong(parts, ""), @r#"
    x.toml:9:1: error: `cable`: a part above counts each cable already
     9 | [[cost.part]]
       | ^^^^^^^^^^^^^
    help: write count, so that none is counted twice
    "#);
}

#[test]
fn parts_for_no_time() {
    insta::assert_snapshot!(wrong("[[cost.part]]\npart = \"switch\"\nprice = 80", ""), @r#"
    x.toml:4:1: error: `cost.years` is missing
     4 | [cost]
       | ^^^^^^
    help: write years = 4, for how long it is used
    "#);
}

#[test]
fn an_empty_band() {
    let error = wrong("price = 0.2\n[power.watts]\nnic = { low = 20.0, high = 10.0 }", "");
    insta::assert_snapshot!(error, @r#"
    x.toml:7:7: error: the band of `power.watts.nic` is empty: low = 20 is more than high = 10
     7 | nic = { low = 20.0, high = 10.0 }
       |       ^^^^^^^^^^^^^^^^^^^^^^^^^^^
    help: exchange low and high
    "#);
}

/// Values of an hour, of which three are missing: the second holds for four.
#[test]
fn lines_that_are_missing_are_warned_of() {
    let case = prices("time,value\n0,0.1\n3600,0.2\n18000,0.3\n");
    let said = "series.csv: 1 value holds for longer than the usual 3600 s, of 2; the first, at 3600 s, for 14400 s. \
                A value holds until the next one: if lines are missing, add them";
    assert_eq!(case.system.notes, [said]);
    // 1 h of 0.1, 4 h of 0.2, and 4 h of 0.3: as long as the one before.
    assert_eq!(steps(case.system.tariff.price.as_ref()).mean(), Some((0.1 + 0.8 + 1.2) / 9.0));
    let days =
        "time,value\n2024-01-01T00:00:00Z,1\n2024-01-01T01:00:00,2\n2024-01-01T02:00:00Z,3\n2024-01-01T04:00:00Z,4\n";
    assert!(prices(days).system.notes[0].contains("of 3; the first, at 2024-01-01T02:00:00Z, for 7200 s"));
    assert!(prices("time,value\n0,1\n10,2\n20,3\n").system.notes.is_empty());
}

/// Keys that choose nothing are refused; a start without a series is warned of.
#[test]
fn keys_that_change_nothing_are_told() {
    let own = "time,value\n0,0.1\n3600,0.2\n";
    for key in ["host = \"a\"", "series = \"direct\""] {
        let error = read(&format!("price = {{ file = \"series.csv\", {key} }}"), own).unwrap_err();
        let name = key.split(' ').next().unwrap();
        assert!(error.contains(&format!("`{name}` chooses nothing")) && error.contains("x.toml:5:"), "{error}");
    }
    let case = read("price = 0.2\nstart = \"2024-01-15T08:00:00Z\"", own).unwrap();
    assert_eq!(case.system.notes, ["cost.start changes nothing: neither price nor carbon is a series"]);
}

/// A moment of TOML needs no quotes, and neither do seconds.
#[test]
fn a_start_without_quotes() {
    let start = |start: &str, series: &str| {
        read(&format!("{PRICE}\nstart = {start}"), series).map(|case| case.system.tariff.start)
    };
    let days = "time,value\n2024-01-01T00:00:00Z,1\n2024-01-01T01:00:00Z,2\n";
    // 01:30 of the first of January 2024, by `date -u -d ... +%s`.
    for written in ["\"2024-01-01T01:30:00Z\"", "2024-01-01T01:30:00Z", "2024-01-01T01:30:00", "2024-01-01 01:30:00Z"] {
        assert_eq!(start(written, days), Ok(Some(1_704_072_600_000_000)), "{written}");
    }
    for written in ["\"3600\"", "3600", "3600.0"] {
        assert_eq!(start(written, "time,value\n0,1\n3600,2\n"), Ok(Some(3_600_000_000)), "{written}");
    }
    assert!(start("2024-01-01T01:30:00+02:00", days).unwrap_err().contains("is no moment"));
    assert!(start("true", days).is_err());
}
