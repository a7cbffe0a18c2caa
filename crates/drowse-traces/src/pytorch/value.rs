//! Values of arguments. Writers differ: a number may stand as a text, and a list as the text of one.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// A value, as far as it is used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Value {
    #[default]
    Nothing,
    Number(i64),
    Text(String),
    List(List),
}

/// A list of whole numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct List {
    pub numbers: Vec<i64>,
    /// Whether some are left out, or are no whole numbers: `numbers` are those before.
    pub is_cut: bool,
}

/// The longest list that is read.
const MOST_NUMBERS: usize = 1 << 20;

impl Value {
    /// Returns the whole number that it is.
    pub fn number(&self) -> Option<i64> {
        match self {
            Value::Number(number) => Some(*number),
            Value::Text(text) => text.trim().parse().ok(),
            Value::Nothing | Value::List(_) => None,
        }
    }

    /// Returns the whole number that is not negative.
    pub fn count(&self) -> Option<u64> {
        self.number().and_then(|number| u64::try_from(number).ok())
    }

    /// Returns the text that it is, which may be a number; nothing where it is empty.
    pub fn text(self) -> Option<String> {
        match self {
            Value::Text(text) => Some(text).filter(|text| !text.is_empty()),
            Value::Number(number) => Some(number.to_string()),
            Value::Nothing | Value::List(_) => None,
        }
    }

    /// Returns the list that it is, or whose text it is; nothing where it is empty.
    pub fn list(self) -> Option<List> {
        let list = match self {
            Value::List(list) => list,
            Value::Text(text) => List::of_text(&text)?,
            Value::Nothing | Value::Number(_) => return None,
        };
        Some(list).filter(|list| list.is_cut || !list.numbers.is_empty())
    }
}

impl List {
    /// Reads `[0, 1, 2]`. PyTorch cuts long lists: `[0, 1, ...]`.
    fn of_text(text: &str) -> Option<Self> {
        let inner = text.trim().strip_prefix('[')?;
        let (inner, mut is_cut) = inner.strip_suffix(']').map_or((inner, true), |inner| (inner, false));
        let mut numbers = Vec::new();
        for part in inner.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            match part.parse() {
                Ok(number) if numbers.len() < MOST_NUMBERS => numbers.push(number),
                _ => {
                    is_cut = true;
                    break;
                }
            }
        }
        Some(List { numbers, is_cut })
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyValue)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Number(number))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Value, E> {
        Ok(i64::try_from(number).map_or(Value::Nothing, Value::Number))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Value, E> {
        // Below 2^53 a double holds every whole number.
        let is_whole = number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0;
        Ok(if is_whole { Value::Number(number as i64) } else { Value::Nothing })
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Value, E> {
        Ok(Value::Nothing)
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Nothing)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut list = List::default();
        while let Some(entry) = entries.next_element::<Value>()? {
            match entry.number() {
                Some(number) if !list.is_cut && list.numbers.len() < MOST_NUMBERS => list.numbers.push(number),
                _ => list.is_cut = true,
            }
        }
        Ok(Value::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        while entries.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Value::Nothing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(json: &str) -> Value {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn numbers_and_texts() {
        assert_eq!([of("5"), of("5.0"), of("\" 5\"")].map(|value| value.number()), [Some(5); 3]);
        assert_eq!([of("1.5"), of("null"), of("true"), of("{\"a\": [1]}")].map(|value| value.number()), [None; 4]);
        assert_eq!([of("-1").count(), of("18446744073709551615").count()], [None; 2]);
        assert_eq!([of("0").text(), of("\"\"").text()], [Some("0".to_owned()), None]);
    }

    #[test]
    fn lists_may_be_cut() {
        let list = |numbers: &[i64], is_cut| Some(List { numbers: numbers.to_vec(), is_cut });
        assert_eq!(of("[0, 1]").list(), list(&[0, 1], false));
        assert_eq!(of("\"[0, 8, 16]\"").list(), list(&[0, 8, 16], false));
        assert_eq!(of("\"[0, 8, ...]\"").list(), list(&[0, 8], true));
        assert_eq!(of("\"[0, 8, ..., 64]\"").list(), list(&[0, 8], true));
        assert_eq!(of("[0, \"x\", 2]").list(), list(&[0], true));
        assert_eq!([of("\"[]\"").list(), of("[]").list(), of("\"0, 1\"").list(), of("3").list()], [const { None }; 4]);
    }
}
