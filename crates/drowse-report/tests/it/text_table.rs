//! Tables for papers: marks, and what all cases have in common.

use drowse_report::{Language, Results, text_table};

/// Two policies at two loads: the second load saturates one, and packets are left in the network.
const CASES: &str = "set.power.policy,set.traffic.load,case_id,load.offered,load.accepted,saturated,latency.packet.mean_ns,warnings[0]\n\
    always-on,0.1,a,0.1,0.1,false,100.0,\n\
    always-on,0.9,b,0.1,0.1,false,150.0,\n\
    immediate,0.1,c,0.1,0.1,false,220.0,\n\
    immediate,0.9,d,0.1,0.1,true,9000.0,not drained: 4 measured packets were still in the network when the run ended\n";

fn table(text: &str, columns: &[&str], language: Language) -> String {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("cases.csv"), text).unwrap();
    let columns: Vec<String> = columns.iter().map(|name| (*name).to_owned()).collect();
    text_table(&Results::read(folder.path()).unwrap(), &columns, language).unwrap()
}

#[test]
fn cases_are_marked_and_constant_columns_stand_below() {
    let markdown = table(CASES, &[], Language::Markdown);
    let expected = "\
| case | packet latency, mean, us |
|---|---:|
| always-on · load 0.1 | 0.100 |
| always-on · load 0.9 | 0.150 |
| immediate · load 0.1 | 0.220 |
| immediate · load 0.9 †‡ | 9.000 |

† saturated: the network did not accept the offered load; latencies depend on the length of the run.

‡ unfinished: packets were still in the network when the run ended; latencies leave them out.

The same for all cases: offered load, % 10; accepted load, % 10.
";
    assert_eq!(markdown, expected);
    let latex = table(CASES, &[], Language::Latex);
    assert!(latex.contains("immediate $\\cdot$ load 0.9 $^{\\dagger}$$^{\\ddagger}$ & 9.000 \\\\"), "{latex}");
    assert!(latex.contains("\\bottomrule\n\\multicolumn{2}{l}{\\footnotesize $^{\\dagger}$ saturated"), "{latex}");
    assert!(latex.contains("The same for all cases: offered load, \\% 10"), "{latex}");
}

/// What was asked for by name is shown, and what differs for one case only is no constant.
#[test]
fn named_columns_stay() {
    let named = table(CASES, &["load.offered"], Language::Markdown);
    assert!(named.starts_with("| case | load.offered |") && !named.contains("The same"), "{named}");
    let one = CASES.replacen("0.1,0.1,true", "0.1,0.05,true", 1);
    let shown = table(&one, &[], Language::Markdown);
    assert!(shown.starts_with("| case | accepted load, % |"), "{shown}");
    let alone: Vec<&str> = CASES.lines().take(2).collect();
    let alone = table(&(alone.join("\n") + "\n"), &[], Language::Markdown);
    assert!(alone.starts_with("| case | offered load, % |"), "one case has no constants: {alone}");
}
