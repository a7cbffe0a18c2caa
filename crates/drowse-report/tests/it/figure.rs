//! Charts as pictures: what stands where, computed by hand.

use std::fmt::Write;

use drowse_picture::{Form, Item, Picture, Place, Shape};
use drowse_report::plot::{self, Axis, Options};
use drowse_report::{Look, Results, picture};

/// Latencies in nanoseconds of two policies at four loads on two networks; the last of `immediate` is saturated.
const LATENCIES: [[f64; 4]; 2] = [[100.0, 110.0, 150.0, 400.0], [200.0, 250.0, 300.0, 90_000.0]];

fn loads() -> Results {
    let folder = tempfile::tempdir().unwrap();
    let mut table =
        "set.network,set.power.policy,set.traffic.load,case_id,load.offered,saturated,latency.packet.mean_ns\n"
            .to_owned();
    for (network, size) in [4, 8].into_iter().enumerate() {
        for (policy, (kind, latencies)) in ["always-on", "immediate"].iter().zip(LATENCIES).enumerate() {
            for (load, latency) in latencies.iter().enumerate() {
                let share = 0.2 * (load + 1) as f64;
                writeln!(
                    table,
                    "\"{{ kind = \"\"torus\"\", dims = [{size}] }}\",\"{{ kind = \"\"{kind}\"\" }}\",{share},\
                     {network}{policy}{load},{share},{},{latency}",
                    *latency > 1000.0
                )
                .unwrap();
            }
        }
    }
    std::fs::write(folder.path().join("cases.csv"), table).unwrap();
    Results::read(folder.path()).unwrap()
}

fn drawn(kind: &str, options: &Options) -> Picture {
    picture(&plot::chart(&loads(), kind, options).unwrap(), options.look)
}

/// Returns the shapes of all layers of a class.
fn shapes<'p>(picture: &'p Picture, class: &str) -> Vec<&'p Shape> {
    let layers = picture.layers.iter().filter(|layer| layer.class == class);
    let shape = |item: &'p Item| match item {
        Item::Shape(shape) => Some(shape),
        Item::Text(_) => None,
    };
    layers.flat_map(|layer| layer.items.iter().filter_map(shape)).collect()
}

/// Returns the middle of a mark.
fn middle(shape: &Shape) -> Option<Place> {
    match &shape.form {
        Form::Circle(at, _) => Some(*at),
        Form::Area(corners) => {
            let ends = |axis: usize| corners.iter().map(move |corner| corner[axis]);
            let of = |axis: usize| {
                f64::midpoint(ends(axis).fold(f64::INFINITY, f64::min), ends(axis).fold(f64::NEG_INFINITY, f64::max))
            };
            Some([of(0), of(1)])
        }
        _ => None,
    }
}

/// Returns the corners of each panel: the places of the line around it.
fn panels(picture: &Picture) -> Vec<[Place; 2]> {
    let frames = shapes(picture, "grid").into_iter().filter_map(|shape| match &shape.form {
        Form::Line(places) if places.len() == 3 => Some([[places[0][0], places[0][1]], places[2]]),
        _ => None,
    });
    frames.collect()
}

/// The largest latency that is not saturated is 400 ns: with 15 % of room, the axis ends at 460 ns, and the saturated
/// case stands there, open.
#[test]
fn saturated_points_are_open_and_do_not_set_the_scale() {
    let picture = drawn("latency", &Options::default());
    let [[_, top], [_, bottom]] = panels(&picture)[0];
    let marks = shapes(&picture, "marks");
    let open: Vec<Place> = marks.iter().filter(|mark| is_open(mark)).filter_map(|mark| middle(mark)).collect();
    assert_eq!(open.len(), 2, "one a network");
    assert!(open.iter().all(|at| (at[1] - top).abs() < 2.0), "{open:?} {top}");
    let highest = marks.iter().filter(|mark| !is_open(mark)).filter_map(|mark| middle(mark));
    let highest = highest.map(|at| at[1]).fold(f64::INFINITY, f64::min);
    assert!((highest - (bottom - (bottom - top) * 400.0 / 460.0)).abs() < 0.1, "{highest}");
    assert!(picture.texts().any(|words| words == "saturated; at the upper edge: beyond the scale"));
}

fn is_open(shape: &Shape) -> bool {
    shape.fill == Some(drowse_picture::Colour::WHITE)
}

/// Policies have colours and marks, networks have dashes: four lines, two looks of each.
#[test]
fn series_differ_without_colour() {
    let picture = drawn("latency", &Options::default());
    let lines: Vec<&Shape> =
        shapes(&picture, "marks").into_iter().filter(|shape| matches!(shape.form, Form::Line(_))).collect();
    let mut looks: Vec<String> = lines.iter().map(|line| format!("{:?}", line.stroke.unwrap())).collect();
    looks.sort();
    looks.dedup();
    assert_eq!((lines.len(), looks.len()), (4, 4));
    let dashed = lines.iter().filter(|line| !line.stroke.unwrap().dash.is_empty()).count();
    assert_eq!(dashed, 2, "one network of two");
    let circles = shapes(&picture, "marks").iter().filter(|shape| matches!(shape.form, Form::Circle(..))).count();
    assert_eq!(circles, 8, "the marks of one policy of two");
    for words in ["always-on", "immediate", "torus 4", "torus 8"] {
        assert!(picture.texts().any(|text| text.contains(words)), "{words}");
    }
}

/// On an axis from 0 to 100, the load of 40 % stands at two fifths; on one of ratios from 0.01 to 1 us, a latency of
/// 0.1 us stands in the middle.
#[test]
fn limits_and_logarithms_are_kept() {
    let options = Options {
        log: vec![Axis::Y],
        limits: vec![(Axis::X, [0.0, 100.0]), (Axis::Y, [0.01, 1.0])],
        ..Options::default()
    };
    let picture = drawn("latency", &options);
    let [[left, top], [right, bottom]] = panels(&picture)[0];
    let marks: Vec<Place> = shapes(&picture, "marks").into_iter().filter_map(middle).collect();
    let first = marks[0];
    assert!((first[0] - (left + (right - left) * 0.2)).abs() < 0.1, "{first:?}");
    assert!((first[1] - f64::midpoint(top, bottom)).abs() < 0.1, "{first:?}");
    assert!((marks[1][0] - (left + (right - left) * 0.4)).abs() < 0.1);
    let spec = plot::chart(&loads(), "latency", &options).unwrap().spec;
    for layer in [0, 1] {
        let y = &spec["layer"][layer]["encoding"]["y"]["scale"];
        assert_eq!((y["type"].as_str(), &y["domain"]), (Some("log"), &serde_json::json!([0.01, 1.0])));
    }
}

/// Two networks are two panels of one size with the same axes; dashes are by policy then.
#[test]
fn a_key_may_have_panels() {
    let options = Options { facet: Some("network".into()), ..Options::default() };
    let picture = drawn("latency", &options);
    let panels = panels(&picture);
    let size = |[[left, top], [right, bottom]]: [Place; 2]| [(right - left).round(), (bottom - top).round()];
    assert_eq!((panels.len(), size(panels[0])), (2, size(panels[1])));
    assert!(panels[1][0][0] > panels[0][1][0], "side by side");
    let spec = plot::chart(&loads(), "latency", &options).unwrap().spec;
    assert_eq!(
        (spec["facet"]["field"].as_str(), spec["spec"]["layer"][0]["encoding"]["strokeDash"]["field"].as_str()),
        (Some("set_network"), Some("group"))
    );
}

#[test]
fn the_picture_is_as_wide_as_wanted() {
    let look = Look { width: 317.5, font: 9.0 };
    let picture = drawn("latency", &Options { look, ..Options::default() });
    assert!((picture.size[0] - 318.0).abs() < 1e-9, "whole pixels");
    let inside = |at: &Place| at[0] >= 0.0 && at[0] <= picture.size[0] && at[1] >= 0.0 && at[1] <= picture.size[1];
    for item in picture.layers.iter().flat_map(|layer| &layer.items) {
        if let Item::Text(text) = item {
            let wide = drowse_picture::width(&text.words, text.size);
            let ends = match (text.anchor, text.upright) {
                (_, true) => [text.at, text.at],
                (drowse_picture::Anchor::Start, _) => [text.at, [text.at[0] + wide, text.at[1]]],
                (drowse_picture::Anchor::Middle, _) => {
                    [[text.at[0] - wide / 2.0, text.at[1]], [text.at[0] + wide / 2.0, text.at[1]]]
                }
                (drowse_picture::Anchor::End, _) => [[text.at[0] - wide, text.at[1]], text.at],
            };
            assert!(ends.iter().all(inside), "cut: {text:?}");
        }
    }
}

/// Marks of energy against run time have the colours of one key; what they do not tell is said, and told by panels.
#[test]
fn keys_that_marks_do_not_tell_are_said() {
    let folder = tempfile::tempdir().unwrap();
    let mut table = "set.network.trunk,set.power.policy,case_id,makespan_s,energy.network_j\n".to_owned();
    for (number, (trunk, policy)) in
        [(1, "always-on"), (2, "always-on"), (1, "immediate"), (2, "immediate")].iter().enumerate()
    {
        writeln!(table, "{trunk},{policy},{number},1.{number},2.{number}").unwrap();
    }
    std::fs::write(folder.path().join("cases.csv"), table).unwrap();
    let results = Results::read(folder.path()).unwrap();
    let warned = |options: &Options| plot::warnings(&plot::chart(&results, "energy", options).unwrap());
    let told = warned(&Options::default());
    assert_eq!(told.len(), 1);
    assert!(told[0].contains("do not tell apart: trunk;"), "{told:?}");
    assert!(warned(&Options { facet: Some("trunk".into()), ..Options::default() }).is_empty());
    let by_trunk = warned(&Options { show: vec!["trunk".into()], ..Options::default() });
    assert!(by_trunk[0].contains("do not tell apart: policy;"), "{by_trunk:?}");
}

/// A bound of 2 % on run times of 1.00 and 1.05: between 1 and 1.05, the dotted line stands at two fifths.
#[test]
fn the_bound_is_a_line() {
    let folder = tempfile::tempdir().unwrap();
    let cases = "set.power.policy,makespan_s,energy.network_j,relative.makespan,relative.network_j,relative.bound,case_id\n\
                 oracle,2.0,50.0,1.0,0.25,,a\nperfbound,2.1,100.0,1.05,0.5,0.02,b\n";
    std::fs::write(folder.path().join("cases.csv"), cases).unwrap();
    let results = Results::read(folder.path()).unwrap();
    let options = Options { limits: vec![(Axis::X, [1.0, 1.05])], ..Options::default() };
    let picture = picture(&plot::chart(&results, "energy", &options).unwrap(), options.look);
    let [[left, top], [right, bottom]] = panels(&picture)[0];
    let line = shapes(&picture, "marks").into_iter().find_map(|shape| match &shape.form {
        Form::Line(places) if places.len() == 2 && (places[0][0] - places[1][0]).abs() < 1e-9 => Some(places.clone()),
        _ => None,
    });
    let line = line.unwrap();
    assert!((line[0][0] - (left + (right - left) * 0.4)).abs() < 0.1, "{line:?}");
    assert!((line[0][1] - bottom).abs() < 0.1 && (line[1][1] - top).abs() < 0.1, "from below to above: {line:?}");
    assert!(picture.texts().any(|words| words == "bound on run time"));
}

#[test]
fn what_cannot_be_drawn_is_said() {
    let refused = |options: Options| plot::chart(&loads(), "latency", &options).unwrap_err().to_string();
    let facet = refused(Options { facet: Some("color".into()), ..Options::default() });
    assert!(facet.contains("no key `color`") && facet.contains("network, policy, load"), "{facet}");
    // One label has the word.
    let options = |words: &str| Options { show: vec![words.into()], ..Options::default() };
    assert!(plot::chart(&loads(), "latency", &options("mean")).is_ok());
    let show = refused(Options { show: vec!["joules".into()], ..Options::default() });
    assert!(show.contains("`joules`") && show.contains("packet latency, mean"), "{show}");
}
