//! Values of YAML 1.2. Anchors stand for what they name, as often as the parser's bounds allow.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::{Error, Location, Spanned};

use super::{DEPTH, Key, Kind, Value, at_line, between};
use crate::model::wrong::Wrong;

/// Reads a text of one document.
pub(crate) fn parse(text: &str) -> Result<Value, Wrong> {
    let options = serde_saphyr::options! {
        with_snippet: false,
        budget: serde_saphyr::budget! { max_depth: DEPTH },
    };
    let tree = serde_saphyr::from_str_with_options(text, options).map_err(|error| no_yaml(text, &error))?;
    Ok(value(tree, text))
}

/// Says what is no YAML, at its place.
fn no_yaml(text: &str, error: &Error) -> Wrong {
    let place = error.location().map_or(0..0, |at| at_line(text, at.line() as usize, at.column() as usize));
    let told = error.to_string();
    let first = told.lines().next().unwrap_or_default();
    let told = first.rsplit_once(" at line ").map_or(first, |(told, _)| told);
    let told: String = told.chars().take(200).collect();
    Wrong::new(&between(text, place), format!("this is no YAML: {told}"), "write NAME: VALUE, lists as - A or [ A, B ]")
}

/// A value as the parser hands it over.
enum Tree {
    Empty,
    /// A number or truth, which is taken from the text as it is written there.
    Plain,
    Text(String),
    List(Vec<Spanned<Tree>>),
    Map(Vec<(Spanned<String>, Spanned<Tree>)>),
}

fn value(tree: Spanned<Tree>, text: &str) -> Value {
    let span = span(tree.defined, text);
    let kind = match tree.value {
        Tree::Empty => Kind::Empty,
        Tree::Plain => Kind::Scalar(text[span.clone()].trim().to_owned()),
        Tree::Text(text) => Kind::Scalar(text),
        Tree::List(values) => Kind::List(values.into_iter().map(|inner| value(inner, text)).collect()),
        Tree::Map(members) => Kind::Map(members.into_iter().map(|(name, inner)| member(name, inner, text)).collect()),
    };
    Value { kind, span }
}

fn member(name: Spanned<String>, inner: Spanned<Tree>, text: &str) -> (Key, Value) {
    let place = span(name.defined, text);
    (Key { name: name.value, span: place }, value(inner, text))
}

/// Returns the place of a value: of its first line, if it has several.
fn span(location: Location, text: &str) -> std::ops::Range<usize> {
    let of = location.span();
    let Some((start, length)) = of.byte_offset().zip(of.byte_len()) else {
        return between(text, at_line(text, location.line() as usize, location.column() as usize));
    };
    let range = between(text, start as usize..(start as usize).saturating_add(length as usize));
    // Of lists and maps the parser tells the beginning only.
    let begins = matches!(&text[range.clone()], "" | "[" | "{");
    let all = if begins { &text[range.start..] } else { &text[range.clone()] };
    let first = all.lines().next().unwrap_or_default();
    let said = if begins { first.split(" #").next().unwrap_or_default() } else { first };
    range.start..range.start + said.trim_end().len()
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Tree;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Tree, E> {
        Ok(Tree::Empty)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Tree, E> {
        Ok(Tree::Plain)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Tree, E> {
        Ok(Tree::Plain)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Tree, E> {
        Ok(Tree::Plain)
    }

    fn visit_i128<E>(self, _: i128) -> Result<Tree, E> {
        Ok(Tree::Plain)
    }

    fn visit_u128<E>(self, _: u128) -> Result<Tree, E> {
        Ok(Tree::Plain)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Tree, E> {
        Ok(Tree::Plain)
    }

    fn visit_str<E>(self, text: &str) -> Result<Tree, E> {
        Ok(Tree::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Tree, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = list.next_element()? {
            values.push(value);
        }
        Ok(Tree::List(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Tree, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(Tree::Map(members))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_know_their_places() {
        let text = "# é\n- topology: t1\n  on: true\n  sizes: [ 04, 1.50, \"x y\" ]\n  none:\n";
        let value = parse(text).expect("YAML");
        let [first] = value.list("it").expect("a list") else { panic!("one") };
        let name = first.need("topology", "it").expect("a name");
        assert_eq!((&text[name.span.clone()], name.text("it").expect("a text").0), ("t1", "t1"));
        let [(key, _), ..] = first.map("it").expect("a map") else { panic!("some") };
        assert_eq!((&text[key.span.clone()], first.need("on", "it").expect("on").is_true()), ("topology", true));
        let sizes = first.need("sizes", "it").expect("sizes").list("sizes").expect("a list");
        let texts: Vec<&str> = sizes.iter().map(|size| size.text("it").expect("a text").0).collect();
        assert_eq!(texts, ["04", "1.50", "x y"]);
        assert!(first.get("none").is_none() && first.get("other").is_none());
    }

    #[test]
    fn errors_point_into_the_text() {
        for text in ["a: [1,", "a: 1\na: 2\n", "a: 1\n  b: 2\n", "\tb: é: 1", "a: *x\n", "--- 1\n--- 2\n"] {
            let wrong = parse(text).expect_err("an error");
            assert!(
                text.get(wrong.span.clone()).is_some() && wrong.message.starts_with("this is no YAML"),
                "{wrong:?}"
            );
        }
        assert!(parse(&"[".repeat(100_000)).is_err());
        let mut bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n".to_owned();
        for (b, c) in (b'a'..b'j').map(|c| (c as char, (c + 1) as char)) {
            let all = [format!("*{b}"), format!("*{b}"), format!("*{b}"), format!("*{b}"), format!("*{b}")].join(",");
            bomb.push_str(&[&c.to_string(), ": &", &c.to_string(), " [", &all, ",", &all, "]\n"].concat());
        }
        assert!(parse(&bomb).is_err());
    }
}
