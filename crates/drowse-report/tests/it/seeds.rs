//! Several seeds are one case: its mean and the interval around it.

use std::fmt::Write;
use std::fs;

use drowse_report::best::{Question, best};
use drowse_report::{Language, Results, Study, charts, page, svg, text_table};

/// Two policies and four seeds each: times, energies, and what both are relative to a baseline.
fn cases(energies: [[f64; 4]; 2], slowdowns: [[f64; 4]; 2]) -> String {
    let mut text = "set.power.policy.deep,set.seed,makespan_s,load.offered,energy.network_j,relative.makespan,seed,\
                    case_id,warnings[0]\n"
        .to_owned();
    for (deep, (energies, slowdowns)) in ["1 us", "2 us"].into_iter().zip(energies.into_iter().zip(slowdowns)) {
        for (seed, (energy, slowdown)) in energies.into_iter().zip(slowdowns).enumerate() {
            let warning = if seed == 0 && deep == "2 us" { "did not drain" } else { "" };
            writeln!(text, "{deep},{seed},{slowdown},,{energy},{slowdown},{seed},{deep}{seed},{warning}").unwrap();
        }
    }
    text
}

fn results(table: &str) -> Results {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("cases.csv"), table).unwrap();
    Results::read(folder.path()).unwrap()
}

/// Energies of 9, 10, 11 and 10: the mean is 10, the variance 2 / 3, and 3.182 x sqrt(2 / 3 / 4) = 1.299.
fn apart() -> Results {
    results(&cases([[9.0, 10.0, 11.0, 10.0], [19.0, 20.0, 21.0, 20.0]], [[1.0, 1.1, 1.2, 1.1], [1.0; 4]]))
}

#[test]
fn a_table_has_a_row_for_all_seeds() {
    let results = apart();
    let columns = ["energy.network_j".to_owned(), "makespan_s".to_owned()];
    let markdown = text_table(&results, &columns, Language::Markdown).unwrap();
    let rows: Vec<&str> = markdown.lines().skip(2).collect();
    let expected = ["| deep 1 us | 10.00 ± 1.30 | 1.100 ± 0.130 |", "| deep 2 us | 20.00 ± 1.30 | 1.000 ± 0.000 |"];
    assert_eq!(rows, expected);
    let latex = text_table(&results, &columns, Language::Latex).unwrap();
    assert!(latex.contains("deep 1 us & 10.00 $\\pm$ 1.30 &"), "{latex}");
    let page = page(&results, None).unwrap();
    assert!(page.contains("2 cases, means over seeds with 95 % confidence intervals"));
    assert!(page.contains("1 of 4 seeds: did not drain"));
    assert!(page.contains(">10.00 ± 1.30</td>"));
}

fn ask<'a>(results: &'a Results, condition: Option<&'a str>) -> drowse_report::best::Answer {
    let question = Question { minimize: "energy", condition, by: &[] };
    best(results, &Study::new(results), &question).unwrap()
}

#[test]
fn the_best_case_is_that_of_the_means() {
    let answer = ask(&apart(), None);
    let group = &answer.groups[0];
    assert_eq!((group.cases, group.best, group.open.rivals.as_slice()), (2, Some(0), [].as_slice()));
    // One lucky seed has the least energy of all, and the other policy the lesser mean: intervals overlap.
    let close = results(&cases([[10.0, 11.0, 10.0, 11.0], [2.0, 14.0, 14.0, 14.0]], [[1.0; 4], [1.0; 4]]));
    let group = &ask(&close, None).groups[0];
    assert_eq!((group.best, group.open.rivals.as_slice()), (Some(0), [1].as_slice()));
}

/// A mean slowdown of 1.5 % with an interval of 1.3 % around it, and bounds within and beyond.
#[test]
fn a_bound_within_the_interval_is_told() {
    let results = results(&cases([[9.0; 4], [20.0; 4]], [[1.005, 1.015, 1.025, 1.015], [1.0; 4]]));
    let unsure = |condition| ask(&results, Some(condition)).groups[0].open.bounds.clone();
    assert_eq!(unsure("slowdown <= 2%"), ["slowdown"]);
    assert_eq!(unsure("slowdown <= 3%"), [] as [&str; 0]);
}

#[test]
fn charts_have_bars_of_intervals() {
    let results = apart();
    let charts = charts::of(&results, &Study::new(&results));
    let kinds: Vec<&str> = charts.iter().map(|chart| chart.kind).collect();
    assert!(kinds.contains(&"energy") && kinds.contains(&"swept"), "{kinds:?}");
    for chart in &charts {
        let whole = chart.whole().to_string();
        assert!(["y_low", "y_high"].iter().all(|end| whole.contains(end)), "{}", chart.kind);
        // A bar and its two ends, in the first two colours of groups and thin.
        let is_bar = |group: &&str| {
            let of_group = ["#0072b2", "#d55e00"].iter().any(|colour| group.contains(colour));
            of_group && group.contains("stroke-width=\"1.2\"")
        };
        let drawn = svg(chart);
        let lines = drawn.split("<g ").filter_map(|group| group.split("</g>").next()).filter(is_bar);
        let lines: usize = lines.map(|group| group.matches("<path").count()).sum();
        assert_eq!(lines, 2 * 3, "{}: a bar a case", chart.kind);
    }
}

/// Each seed is compared with the baseline of its own: both vary much, their ratio does not.
#[test]
fn ratios_are_those_of_each_seed() {
    let mut table = "set.power.policy,set.seed,makespan_s,energy.network_j,seed,case_id\n".to_owned();
    for (seed, factor) in [(1, 1.0), (2, 5.0), (3, 2.0)] {
        for (kind, energy) in [("always-on", 10.0), ("immediate", 5.0)] {
            writeln!(table, "\"{{ kind = \"\"{kind}\"\" }}\",{seed},{factor},{},{seed},{kind}{seed}", energy * factor)
                .unwrap();
        }
    }
    let results = results(&table);
    let study = Study::new(&results);
    let energy = &study.energies[0];
    assert!(energy.half_widths[1].unwrap() > 1.0);
    assert_eq!((study.ratio(energy, 1), study.ratio_half_width(energy, 1)), (Some(0.5), Some(0.0)));
}
