//! Values of JSON.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use serde::Deserialize;
use serde::de::{self, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::{DEPTH, Key, Kind, Value, at_line, between};
use crate::model::wrong::Wrong;

/// Reads a text.
pub(crate) fn parse(text: &str) -> Result<Value, Wrong> {
    let raw: &RawValue = part(text, text)?;
    value(raw, text, DEPTH)
}

/// Reads a part of a text as a type that borrows from it.
fn part<'t, T: Deserialize<'t>>(part: &'t str, text: &str) -> Result<T, Wrong> {
    serde_json::from_str(part).map_err(|error| {
        let start = place(part, text).start;
        let at = at_line(part, error.line(), error.column());
        let told = error.to_string();
        let told = told.rsplit_once(" at line ").map_or(told.as_str(), |(told, _)| told).to_owned();
        let span = between(text, start + at.start..start + at.end);
        Wrong::new(&span, format!("this is no JSON: {told}"), "write names in quotes, commas between values")
    })
}

/// Returns where a part of a text stands.
fn place(part: &str, text: &str) -> Range<usize> {
    let start = (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    start..start + part.len()
}

fn value(raw: &RawValue, text: &str, depth: usize) -> Result<Value, Wrong> {
    let source = raw.get();
    let span = place(source, text);
    if depth == 0 {
        let message = format!("values lie more than {DEPTH} deep in each other");
        return Err(Wrong::new(&(span.start..span.start + 1), message, "write vertices and links"));
    }
    let kind = match source.as_bytes().first() {
        Some(b'{') => {
            let members: Members = part(source, text)?;
            let inner = |(name, raw): (Cow<'_, str>, &RawValue)| {
                let value = value(raw, text, depth - 1)?;
                let span = if let Cow::Borrowed(name) = name { place(name, text) } else { value.span.clone() };
                Ok((Key { name: name.into_owned(), span }, value))
            };
            Kind::Map(members.0.into_iter().map(inner).collect::<Result<_, Wrong>>()?)
        }
        Some(b'[') => {
            let values: Vec<&RawValue> = part(source, text)?;
            Kind::List(values.into_iter().map(|raw| value(raw, text, depth - 1)).collect::<Result<_, Wrong>>()?)
        }
        Some(b'"') => Kind::Scalar(part(source, text)?),
        Some(b'n') => Kind::Empty,
        _ => Kind::Scalar(source.to_owned()),
    };
    Ok(Value { kind, span })
}

/// The members of an object, in their order.
struct Members<'t>(Vec<(Cow<'t, str>, &'t RawValue)>);

/// A name, which is a part of the text if nothing in it is escaped.
#[derive(Deserialize)]
struct Name<'t>(#[serde(borrow)] Cow<'t, str>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Members<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
        let (mut members, mut known) = (Vec::new(), std::collections::HashSet::new());
        while let Some(Name(name)) = map.next_key()? {
            if !known.insert(name.clone()) {
                return Err(de::Error::custom(format!(
                    "the name `{}` stands twice",
                    crate::model::wrong::shown(&name)
                )));
            }
            members.push((name, map.next_value()?));
        }
        Ok(Members(members))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_know_their_places() {
        let text = "{\"a\": [1.50, true, null], \"b\\u0063\": {\"é\": \"x\\ny\"}}";
        let value = parse(text).expect("JSON");
        let list = value.need("a", "it").expect("a").list("a").expect("a list");
        assert_eq!((&text[list[0].span.clone()], list[0].text("it").expect("a number").0), ("1.50", "1.50"));
        assert_eq!((list[1].is_true(), &list[2].kind), (true, &Kind::Empty));
        let inner = value.need("bc", "it").expect("bc");
        let [(key, text_of)] = inner.map("it").expect("a map") else { panic!("one") };
        assert_eq!((&text[key.span.clone()], text_of.text("it").expect("a text").0), ("é", "x\ny"));
    }

    #[test]
    fn errors_point_into_the_text() {
        for (text, place) in [("{\"a\": 1,\n \"a\": 2}", 2), ("[1,\n2", 2), ("[1 2]", 1), ("{\"é\" 1}", 1)] {
            let wrong = parse(text).expect_err("an error");
            assert!(text[..wrong.span.start].matches('\n').count() + 1 == place, "{text}: {wrong:?}");
            assert!(wrong.message.starts_with("this is no JSON: "), "{}", wrong.message);
        }
        assert!(
            parse(&"[".repeat(1 << 20)).is_err() && parse(&format!("{}{}", "[".repeat(99), "]".repeat(99))).is_err()
        );
    }
}
