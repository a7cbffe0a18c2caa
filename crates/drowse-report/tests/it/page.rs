//! What a page says and draws, by hand.

use std::fmt::Write as _;
use std::fs;

use drowse_report::{Language, Results, Study, charts, page, text_table};
use serde_json::Value;
use tempfile::TempDir;

/// Three policies on two networks: times and energies that are easy to compare.
const CASES: &str =
    "set.network.trunk,set.power.policy,makespan_s,network.links,links.on_fraction,links.shallow_fraction,\
links.deep_fraction,energy.links.all_j,warnings[0],case_id
1,\"{ kind = \"\"always-on\"\" }\",1.0,8,1.0,0.0,0.0,100.0,,a
1,\"{ kind = \"\"oracle\"\" }\",1.0,8,0.1,0.0,0.9,20.0,,b
1,\"{ kind = \"\"stall-timer\"\", deep = \"\"1 us\"\" }\",1.2,8,0.2,0.0,0.8,40.0,,c
1,\"{ kind = \"\"stall-timer\"\", deep = \"\"1 ms\"\" }\",1.005,8,0.5,0.0,0.5,70.0,</script><b>&,d
";

/// Writes tables into a folder of their own.
fn folder(tables: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    tables.iter().for_each(|(name, text)| fs::write(folder.path().join(name), text).unwrap());
    folder
}

fn results(tables: &[(&str, &str)]) -> Results {
    Results::read(folder(tables).path()).unwrap()
}

/// Returns the charts of some tables by their kinds.
pub fn charts_of(tables: &[(&str, &str)]) -> Vec<charts::Chart> {
    let results = results(tables);
    charts::of(&results, &Study::new(&results))
}

#[test]
fn the_answer_is_that_of_the_numbers() {
    let page = page(&results(&[("cases.csv", CASES)]), None).unwrap();
    // 40 J of 100 J at 1.2 s of 1 s; within 1 %: 70 J at 1.005 s; the oracle: 20 J.
    let answer = "“stall-timer deep 1 us” saves 60.0\u{a0}% of the energy of all links; its run takes 20.0\u{a0}% longer than \
                  with links always on. Of those that take at most 1\u{a0}% longer, “stall-timer deep 1 ms” saves \
                  30.0\u{a0}% of it; its run takes 0.50\u{a0}% longer. The oracle, which knows how long each link will idle, \
                  saves 80.0\u{a0}% of it.";
    assert!(page.contains(answer), "{}", &page[page.find("answer\">").unwrap()..][..600]);
}

/// What is seen first: 60 J of 100 J are saved, for 0.2 s, which is 60/80 of what the oracle saves.
#[test]
fn the_headline_is_that_of_the_numbers() {
    let page = page(&results(&[("cases.csv", CASES)]), None).unwrap();
    let tile = |words: &str, value: &str| format!("<div><dt>{words}</dt><dd>{value}</dd>");
    for (words, value) in [("saved", "60.00 J"), ("longer run", "20.0 %"), ("of what the oracle saves", "75.0 %")] {
        assert!(page.contains(&tile(words, value)), "{words}: {}", &page[page.find("tiles\">").unwrap()..][..900]);
    }
    assert!(page.contains("1.200 s instead of 1.000 s, always on"));
}

/// The rest of the run time has a name: 0.7 are told, 0.3 are not begun or ended.
#[test]
fn what_ranks_do_sums_to_the_run_time() {
    let cases = "makespan_s,ranks.running_fraction,ranks.receiving_fraction,case_id\n1.0,0.5,0.2,x\n";
    let charts = charts_of(&[("cases.csv", cases)]);
    let shares: Vec<(&str, f64)> =
        charts[0].rows.iter().map(|row| (row["part"].as_str().unwrap(), row["share"].as_f64().unwrap())).collect();
    assert_eq!(shares[..2], [("computing", 0.5), ("waiting for messages", 0.2)]);
    assert!(shares[2].0 == "not begun, or ended" && (shares[2].1 - 0.3).abs() < 1e-12, "{shares:?}");
}

/// The page says by whose watts its energies are, each once, and what was built.
#[test]
fn the_page_names_watts_and_build() {
    let cases = "makespan_s,energy.watts,case_id\n1.0,some switch; yours: on 2,a\n2.0,some switch; yours: on 2,b\n";
    let manifest = r#"{ "version": "0.1.0", "build": "0123abcd", "cases": 2, "experiment": "title = \"Mine\"" }"#;
    let page = page(&results(&[("cases.csv", cases), ("manifest.json", manifest)]), None).unwrap();
    assert!(page.contains("<dt>Watts</dt><dd>some switch; yours: on 2</dd>"));
    assert!(page.contains("<dt>Made by</dt><dd>Drowse 0.1.0, build 0123abcd</dd>"));
    assert!(page.contains("Mine"));
}

/// A network that saves 40 J while its nodes draw 50 J more has not saved energy, and the answer says so.
#[test]
fn the_answer_tells_what_nodes_add() {
    let cases = "set.power.policy,makespan_s,energy.network_j,energy.total_j,case_id\n\
                 \"{ kind = \"\"always-on\"\" }\",1.0,100.0,1000.0,a\n\
                 \"{ kind = \"\"stall-timer\"\" }\",1.05,60.0,1010.0,b\n";
    let page = page(&results(&[("cases.csv", cases)]), None).unwrap();
    let answer = "This case saves 40.0\u{a0}% of the energy of the network; its run takes 5.0\u{a0}% longer than with links \
                  always on. This case needs 1.0\u{a0}% more of the energy of network and nodes.";
    assert!(page.contains(answer), "{}", &page[page.find("answer\">").unwrap()..][..400]);
}

/// The baseline of a sweep has no row: cases are told and drawn beside it by their own columns, with the bound.
#[test]
fn a_baseline_without_a_row_is_that_of_the_columns() {
    let cases = "set.power.policy,makespan_s,energy.network_j,relative.makespan,relative.network_j,relative.bound,case_id\n\
                 \"{ kind = \"\"oracle\"\" }\",2.0,50.0,1.0,0.25,,a\n\
                 \"{ kind = \"\"perfbound\"\", bound = 0.02 }\",2.1,100.0,1.05,0.5,0.02,b\n";
    let manifest = r#"{ "version": "0.1.0", "cases": 2, "experiment": "[sweep]\nbaseline = \"always-on\"\n" }"#;
    let tables = [("cases.csv", cases), ("manifest.json", manifest)];
    let page = page(&results(&tables), None).unwrap();
    let answer = "“perfbound” saves 50.0\u{a0}% of the energy of the network; its run takes 5.0\u{a0}% longer than \
                  with links always on. The oracle, which knows how long each link will idle, saves 75.0\u{a0}% of it.";
    assert!(page.contains(answer), "{}", &page[page.find("answer\">").unwrap()..][..400]);
    assert!(page.contains(">1.050</td>") && page.contains("always on = 1"));
    let energy = &charts_of(&tables)[0];
    let ratios: Vec<_> =
        energy.rows.iter().map(|row| (&row["relative_run_time_s"], &row["relative_energy_network_j"])).collect();
    assert_eq!(ratios, [(&Value::from(1.0), &Value::from(0.25)), (&Value::from(1.05), &Value::from(0.5))]);
    assert_eq!(energy.spec["layer"][2]["data"]["values"][0]["bound"], 1.02);
    // Without the words of the experiment it is some baseline.
    assert!(drowse_report::page(&results(&tables[..1]), None).unwrap().contains("longer than with the baseline"));
}

#[test]
fn no_text_of_a_table_becomes_a_part_of_the_page() {
    let page = page(&results(&[("cases.csv", CASES)]), None).unwrap();
    assert!(page.contains("&lt;/script&gt;&lt;b&gt;&amp;") && !page.contains("</script><b>"));
    // The page asks nobody for anything: what it is made of is in it.
    let outside = ["src=\"", "<link rel=\"stylesheet\"", "@import", "fetch(\""];
    let written_here = &page[..page.find("<script>").unwrap()];
    assert!(outside.iter().all(|text| !written_here.contains(text)));
}

/// Without baseline in all groups, nothing is called relative.
#[test]
fn a_baseline_is_that_of_the_same_network() {
    let two = format!("{CASES}2,\"{{ kind = \"\"always-on\"\" }}\",0.5,16,1.0,0.0,0.0,120.0,,e\n");
    let both = results(&[("cases.csv", &two)]);
    let study = Study::new(&both);
    assert_eq!(study.cases.iter().map(|case| case.baseline.unwrap()).collect::<Vec<_>>(), [0, 0, 0, 0, 4]);
    let lonely = two.replace("2,\"{ kind = \"\"always-on\"\" }\"", "2,\"{ kind = \"\"immediate\"\" }\"");
    assert!(Study::new(&results(&[("cases.csv", &lonely)])).baseline.is_none());
}

#[test]
fn rows_of_charts_are_those_of_the_tables() {
    let charts = charts_of(&[("cases.csv", CASES)]);
    let kinds: Vec<&str> = charts.iter().map(|chart| chart.kind).collect();
    assert_eq!(kinds, ["energy", "states"]);
    let ratios: Vec<f64> = charts[0].rows.iter().map(|row| row["relative_energy_links_j"].as_f64().unwrap()).collect();
    assert_eq!(ratios, [1.0, 0.2, 0.4, 0.7]);
    // Shares of the states of each case sum to 1.
    for case in 0..4 {
        let of_case = charts[1].rows.iter().filter(|row| row["n"] == case);
        let sum: f64 = of_case.map(|row| row["share"].as_f64().unwrap()).sum();
        assert!((sum - 1.0).abs() < 1e-12);
    }
    // A whole specification has its data in it, under the name that it asks for.
    let whole = charts[0].whole();
    assert_eq!(whole["datasets"][whole["data"]["name"].as_str().unwrap()].as_array().map(Vec::len), Some(4));
}

/// Two switches with two links, a node at each; one link is used twice as much as the other.
#[test]
fn links_are_read_from_sentences_and_from_columns() {
    let cases = "makespan_s,links.on_fraction,links.deep_fraction,case_id\n1.0,0.5,0.5,x\n";
    let sentences = "case_id,channel,from,to,class,on_ps,deep_ps,flits\n\
        x,0,switch 0 port 0,switch 1 port 0,dim-0,4,0,10\n\
        x,1,switch 0 port 1,switch 1 port 1,dim-0,1,3,20\n\
        x,2,switch 1 port 0,switch 0 port 0,dim-0,4,0,0\n\
        x,3,node 0,switch 0 port 2,node,4,0,30\n";
    let columns = "case_id,channel,from_kind,from_switch,from_port,from_node,to_kind,to_switch,to_port,to_node,class,on_ps,deep_ps,flits,energy_j\n\
        x,0,switch,0,0,,switch,1,0,,dim-0,4,0,10,1.5\n\
        x,1,switch,0,1,,switch,1,1,,dim-0,1,3,20,0.5\n\
        x,2,switch,1,0,,switch,0,0,,dim-0,4,0,0,1.0\n\
        x,3,node,,,0,switch,0,2,,node,4,0,30,2.0\n";
    let links = |channels| {
        let charts = charts_of(&[("cases.csv", cases), ("channels.csv", channels)]);
        let chart = charts.into_iter().find(|chart| chart.kind == "links").unwrap();
        let numbers = |name: &str| chart.rows.iter().map(|row| row[name].as_f64()).collect::<Vec<_>>();
        ["from", "to", "flits", "energy_j"].map(numbers)
    };
    let some = |numbers: [f64; 2]| numbers.map(Some).to_vec();
    let [from, to, flits, energy] = links(sentences);
    assert_eq!((from, to, flits), (some([0.0, 1.0]), some([1.0, 0.0]), some([15.0, 0.0])));
    assert_eq!(energy, [None, None], "there are no joules");
    let [from, to, flits, energy] = links(columns);
    assert_eq!((from, to, flits, energy), (some([0.0, 1.0]), some([1.0, 0.0]), some([15.0, 0.0]), some([1.0, 1.0])));
}

/// Periods of two channels fall into one bin: 3 of 2 s in all.
/// 70 switches in groups of five, a ring within each and one between groups: a row a group. Without classes that tell
/// groups, two switches share a row.
#[test]
fn many_switches_are_shown_by_group() {
    let table = |global: &str| {
        let mut text = "channel,from,to,class,flits,case_id\n".to_owned();
        for switch in 0..70 {
            let (group, place) = (switch / 5, switch % 5);
            let ends = [(group * 5 + (place + 1) % 5, "local", 10), ((group + 1) % 14 * 5, global, 30)];
            for (to, class, flits) in &ends[..if place == 0 { 2 } else { 1 }] {
                writeln!(text, "0,switch {switch} port 0,switch {to} port 0,{class},{flits},a").unwrap();
            }
        }
        text
    };
    let chart = |global: &str| {
        let charts = charts_of(&[("cases.csv", CASES), ("channels.csv", &table(global))]);
        let chart = charts.into_iter().find(|chart| chart.kind == "links").unwrap();
        (chart.spec["encoding"]["x"]["title"].as_str().unwrap().to_owned(), chart.rows)
    };
    let (title, rows) = chart("global");
    assert_eq!((title.as_str(), rows.len()), ("receiving group", 2 * 14));
    let cell =
        |from: u64, to: u64| rows.iter().find(|row| row["from"] == from && row["to"] == to).unwrap()["flits"].clone();
    assert_eq!((cell(3, 3), cell(3, 4), cell(13, 0)), (10.0.into(), 30.0.into(), 30.0.into()));
    assert_eq!(chart("far").0, "receiving switch, first of 2");
}

#[test]
fn idle_periods_are_summed_over_channels() {
    let cases = "makespan_s,case_id\n1.0,x\n";
    let idle = "case_id,channel,class,from_ps,to_ps,count,idle_ps,unfinished\n\
        x,0,node,1000000,1122018,1,500000000000,0\nx,1,node,1000000,1122018,2,1500000000000,0\nx,1,node,100000000000,,1,1,0\n";
    let charts = charts_of(&[("cases.csv", cases), ("idle_periods.csv", idle)]);
    let rows = &charts[0].rows;
    assert_eq!((rows.len(), &rows[0]["periods"], &rows[0]["idle_s"]), (2, &Value::from(3.0), &Value::from(2.0)));
    assert_eq!(rows[1]["period"], "100.0 ms and longer");
}

/// Of 45 links, the 40 that change most are drawn, and of each case the states up to the most that a page draws.
#[test]
fn timelines_show_where_most_happens() {
    let mut spans = "case_id,kind,job,rank,channel,from_ps,to_ps,state\nx,rank,a,0,,0,2000000,computing\n\
                     x,rank,b,0,,0,1000000,in collectives\nx,message,a,0,,0,1,\n"
        .to_owned();
    // Channel 0 does nothing, channels 1 to 4 change once, all others 100 times.
    for channel in 0_u64..45 {
        let states = [1, 2, 2, 2, 2].get(channel as usize).copied().unwrap_or(101);
        spans.extend((0..states).map(|number| {
            let (from, state) = (number * 1_000_000, if number % 2 == 0 { "on" } else { "deep" });
            format!("x,link,,,{channel},{from},{},{state}\n", from + 1_000_000)
        }));
    }
    let charts = charts_of(&[("cases.csv", "makespan_s,case_id\n1.0,x\n"), ("spans.csv", &spans)]);
    let chart = |kind: &str| charts.iter().find(|chart| chart.kind == kind).unwrap();
    let texts = |kind: &str, field: &str| -> Vec<String> {
        chart(kind).rows.iter().map(|row| row[field].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(texts("rank-timeline", "track"), ["a rank 0", "b rank 0"]);
    assert_eq!(texts("rank-timeline", "state"), ["computing", "in collectives"]);
    let mut tracks = texts("link-timeline", "track");
    tracks.dedup();
    let lively: Vec<String> = (5..45).map(|channel| format!("link {channel}")).collect();
    assert_eq!(tracks, lively);
    // 40 links begin a state each us: 4,000 states are those of the first 100 us.
    let ends = chart("link-timeline").rows.iter().map(|row| row["to_us"].as_f64().unwrap());
    assert_eq!((chart("link-timeline").rows.len(), ends.fold(0.0, f64::max)), (4000, 100.0));
    let caption = &chart("link-timeline").caption;
    assert!(caption.contains("The 40 of 45 links") && caption.contains("ends where"), "{caption}");
    assert!(!chart("rank-timeline").caption.contains(" of "));
}

/// A link is told by its ends, where the table of channels is there.
#[test]
fn links_over_time_have_their_ends() {
    let cases = "makespan_s,case_id\n1.0,x\n";
    let channels = "case_id,channel,from,to,class,flits\nx,0,node 3,switch 0 port 1,node,1\n\
                    x,1,switch 0 port 2,switch 7 port 0,dim-0,2\n";
    let spans = "case_id,kind,job,rank,channel,from_ps,to_ps,state\nx,link,,,1,0,1000,on\nx,link,,,1,1000,2000,third\n";
    let charts = charts_of(&[("cases.csv", cases), ("channels.csv", channels), ("spans.csv", spans)]);
    let chart = charts.iter().find(|chart| chart.kind == "link-timeline").unwrap();
    let told: Vec<_> = chart.rows.iter().map(|row| (row["track"].as_str(), row["state"].as_str())).collect();
    let track = Some("link 1: switch 0 to switch 7");
    assert_eq!(told, [(track, Some("on")), (track, Some("third"))]);
    assert_eq!(chart.spec["encoding"]["x"]["title"], "simulated time, ns");
}

#[test]
fn tables_for_papers() {
    let some = results(&[("cases.csv", CASES)]);
    let columns = ["makespan_s".to_owned(), "energy.links.all_j".to_owned()];
    let markdown = "| case | makespan\\_s | energy.links.all\\_j |\n|---|---:|---:|\n| always-on | 1.000 | 100 |\n| oracle | 1.000 | 20 |\n\
                    | stall-timer deep 1 us | 1.200 | 40 |\n| stall-timer deep 1 ms | 1.005 | 70 |\n";
    assert_eq!(text_table(&some, &columns, Language::Markdown).unwrap(), markdown);
    let latex = text_table(&some, &[], Language::Latex).unwrap();
    assert!(
        latex.contains("energy of all links, always on = 1 & share of link time asleep, \\% \\\\\n\\midrule\n"),
        "{latex}"
    );
    assert!(latex.contains("stall-timer deep 1 ms & 1.005 & 1.005 & 70 & 0.700 & 50 \\\\\n"), "{latex}");
    let error = text_table(&some, &["makespan".to_owned()], Language::Latex).unwrap_err().to_string();
    assert!(
        error.ends_with("cases.csv: has no column `makespan`; did you mean `makespan_s`? its first line has all names"),
        "{error}"
    );
}

/// Two link classes in two intervals: each band is filled from its floor to 0.86 above it, sums of shares being 1. A table
/// of a version that did not tell shares has lines, but no bands.
#[test]
fn bands_say_when_links_idle() {
    let cases = "makespan_s,case_id\n1.0,x\n";
    let old = "case_id,time_ps,interval_ps,part,class,watts\nx,0,1000,links,node,2.0\nx,0,1000,nics,,3.0\n";
    let new = "case_id,time_ps,interval_ps,part,class,watts,sending_fraction,idle_fraction,entering_fraction,\
               asleep_fraction,waking_fraction\n\
               x,0,1000,links,node,2.0,0.25,0.75,0,0,0\nx,0,1000,links,dim-0,2.0,0,0.1,0.2,0.4,0.3\n\
               x,0,1000,nics,,3.0,,,,,\n\
               x,1000,500,links,node,2.0,1,0,0,0,0\nx,1000,500,links,dim-0,2.0,0,0,0,1,0\n";
    let kinds = |charts: &[charts::Chart]| charts.iter().map(|chart| chart.kind).collect::<Vec<_>>();
    assert_eq!(kinds(&charts_of(&[("cases.csv", cases), ("power.csv", old)])), ["power"]);
    let charts = charts_of(&[("cases.csv", cases), ("power.csv", new)]);
    assert_eq!(kinds(&charts), ["idling", "power"]);
    let told: Vec<_> = charts[0]
        .rows
        .iter()
        .map(|row| {
            let text = |name: &str| row[name].as_str().unwrap();
            let number = |name: &str| row[name].as_f64().unwrap();
            (text("links"), text("state"), ["from_ns", "to_ns", "low", "high"].map(number))
        })
        .collect();
    assert_eq!(
        told,
        [
            ("node", "sending", [0.0, 1.0, 1.0, 1.215]),
            ("node", "on, idle", [0.0, 1.0, 1.215, 1.86]),
            ("node", "sending", [1.0, 1.5, 1.0, 1.86]),
            ("dim-0", "on, idle", [0.0, 1.0, 0.0, 0.086]),
            ("dim-0", "going to sleep", [0.0, 1.0, 0.086, 0.258]),
            ("dim-0", "asleep", [0.0, 1.0, 0.258, 0.602]),
            ("dim-0", "waking", [0.0, 1.0, 0.602, 0.86]),
            ("dim-0", "asleep", [1.0, 1.5, 0.0, 0.86]),
        ]
    );
    // All charts over time zoom together.
    assert!(charts.iter().all(|chart| chart.spec["usermeta"]["time"] == "zoom_from_ns"));
}
