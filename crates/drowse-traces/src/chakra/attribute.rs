//! The attributes of nodes: named values, of any type that the schema has.
//!
//! Writers differ in the types that they choose. A whole number is read from every type that holds it exactly, a text
//! from texts and whole numbers. Other values of the attributes that are used are refused.

use prost::{Message, Oneof};

use crate::error::shortened;

/// A named value.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Attribute {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(
        oneof = "Value",
        tags = "3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, \
                30, 31, 32"
    )]
    pub value: Option<Value>,
}

/// A value.
#[derive(Clone, PartialEq, Oneof)]
pub(super) enum Value {
    #[prost(double, tag = "3")]
    Double(f64),
    #[prost(message, tag = "4")]
    DoubleList(Skipped),
    #[prost(float, tag = "5")]
    Float(f32),
    #[prost(message, tag = "6")]
    FloatList(Skipped),
    #[prost(int32, tag = "7")]
    Int32(i32),
    #[prost(message, tag = "8")]
    Int32List(Skipped),
    #[prost(int64, tag = "9")]
    Int64(i64),
    #[prost(message, tag = "10")]
    Int64List(Skipped),
    #[prost(uint32, tag = "11")]
    Uint32(u32),
    #[prost(message, tag = "12")]
    Uint32List(Skipped),
    #[prost(uint64, tag = "13")]
    Uint64(u64),
    #[prost(message, tag = "14")]
    Uint64List(Skipped),
    #[prost(sint32, tag = "15")]
    Sint32(i32),
    #[prost(message, tag = "16")]
    Sint32List(Skipped),
    #[prost(sint64, tag = "17")]
    Sint64(i64),
    #[prost(message, tag = "18")]
    Sint64List(Skipped),
    #[prost(fixed32, tag = "19")]
    Fixed32(u32),
    #[prost(message, tag = "20")]
    Fixed32List(Skipped),
    #[prost(fixed64, tag = "21")]
    Fixed64(u64),
    #[prost(message, tag = "22")]
    Fixed64List(Skipped),
    #[prost(sfixed32, tag = "23")]
    Sfixed32(i32),
    #[prost(message, tag = "24")]
    Sfixed32List(Skipped),
    #[prost(sfixed64, tag = "25")]
    Sfixed64(i64),
    #[prost(message, tag = "26")]
    Sfixed64List(Skipped),
    #[prost(bool, tag = "27")]
    Bool(bool),
    #[prost(message, tag = "28")]
    BoolList(BoolList),
    #[prost(string, tag = "29")]
    Text(String),
    #[prost(message, tag = "30")]
    TextList(Skipped),
    #[prost(bytes = "vec", tag = "31")]
    Bytes(Vec<u8>),
    #[prost(message, tag = "32")]
    BytesList(Skipped),
}

/// A list whose values nobody needs.
#[derive(Clone, Copy, PartialEq, Message)]
pub(super) struct Skipped {}

/// A list of booleans.
#[derive(Clone, PartialEq, Message)]
pub(super) struct BoolList {
    #[prost(bool, repeated, tag = "1")]
    pub values: Vec<bool>,
}

/// Below it a double holds every whole number, and no text rounds to another.
const EXACT: f64 = 9_007_199_254_740_992.0;

impl Attribute {
    /// Returns the whole number. Fails with what else it is.
    pub fn number(&self) -> Result<i128, String> {
        let number = match &self.value {
            Some(value) => value.number(),
            None => None,
        };
        number.ok_or_else(|| self.wrong("a whole number"))
    }

    /// Returns the text, which may be written as a whole number. Fails with what else it is.
    pub fn text(&self) -> Result<String, String> {
        match &self.value {
            Some(Value::Text(text)) => Ok(text.clone()),
            Some(Value::Bool(_)) | None => Err(self.wrong("a text")),
            Some(value) => value.number().map(|number| number.to_string()).ok_or_else(|| self.wrong("a text")),
        }
    }

    /// Returns the list of booleans. Fails with what else it is.
    pub fn booleans(&self) -> Result<&[bool], String> {
        match &self.value {
            Some(Value::BoolList(list)) => Ok(&list.values),
            _ => Err(self.wrong("a list of booleans (bool_list)")),
        }
    }

    /// Says what stands where something else is read.
    fn wrong(&self, read: &str) -> String {
        let found = self.value.as_ref().map_or_else(|| "has no value of a known type".to_owned(), Value::said);
        format!("{} {found}, and {read} is read; convert the trace again", shortened(&self.name))
    }
}

impl Value {
    /// Returns the whole number that a value is, whatever its type.
    fn number(&self) -> Option<i128> {
        Some(match self {
            Value::Int32(number) | Value::Sint32(number) | Value::Sfixed32(number) => (*number).into(),
            Value::Int64(number) | Value::Sint64(number) | Value::Sfixed64(number) => (*number).into(),
            Value::Uint32(number) | Value::Fixed32(number) => (*number).into(),
            Value::Uint64(number) | Value::Fixed64(number) => (*number).into(),
            Value::Bool(is) => (*is).into(),
            Value::Double(number) => whole(*number)?,
            Value::Float(number) => whole(f64::from(*number))?,
            Value::Text(text) => match text.trim().parse() {
                Ok(number) => number,
                Err(_) => text.trim().parse().ok().filter(|number: &f64| number.abs() < EXACT).and_then(whole)?,
            },
            _ => return None,
        })
    }

    /// Says what a value is, with its type in the schema.
    fn said(&self) -> String {
        let list = |of: &str| format!("is a list ({of}_list)");
        match self {
            Value::Double(number) => format!("is {number} (double_val)"),
            Value::Float(number) => format!("is {number} (float_val)"),
            Value::Bool(is) => format!("is {is} (bool_val)"),
            Value::Text(text) => format!("is the text `{}` (string_val)", shortened(text)),
            Value::Bytes(bytes) => format!("is {} B (bytes_val)", bytes.len()),
            Value::DoubleList(_) => list("double"),
            Value::FloatList(_) => list("float"),
            Value::Int32List(_) => list("int32"),
            Value::Int64List(_) => list("int64"),
            Value::Uint32List(_) => list("uint32"),
            Value::Uint64List(_) => list("uint64"),
            Value::Sint32List(_) => list("sint32"),
            Value::Sint64List(_) => list("sint64"),
            Value::Fixed32List(_) => list("fixed32"),
            Value::Fixed64List(_) => list("fixed64"),
            Value::Sfixed32List(_) => list("sfixed32"),
            Value::Sfixed64List(_) => list("sfixed64"),
            Value::BoolList(_) => list("bool"),
            Value::TextList(_) => list("string"),
            Value::BytesList(_) => list("bytes"),
            other => other.number().map_or_else(String::new, |number| format!("is the number {number}")),
        }
    }
}

/// Returns the whole number that a float is.
fn whole(number: f64) -> Option<i128> {
    // 2^64 and more is no number that the schema has.
    (number.fract() == 0.0 && number.abs() < 18_446_744_073_709_551_616.0).then_some(number as i128)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(value: Value) -> Attribute {
        Attribute { name: "comm_size".to_owned(), value: Some(value) }
    }

    #[test]
    fn whole_numbers_of_every_type() {
        let all = [
            Value::Double(4096.0),
            Value::Float(4096.0),
            Value::Int32(4096),
            Value::Int64(4096),
            Value::Uint32(4096),
            Value::Uint64(4096),
            Value::Sint32(4096),
            Value::Sint64(4096),
            Value::Fixed32(4096),
            Value::Fixed64(4096),
            Value::Sfixed32(4096),
            Value::Sfixed64(4096),
            Value::Text("4096".to_owned()),
            Value::Text(" 4096.0".to_owned()),
            Value::Text("4.096e3".to_owned()),
        ];
        for value in all {
            let attribute = of(value);
            assert_eq!(attribute.number(), Ok(4096), "{attribute:?}");
            // Over the wire, too.
            assert_eq!(Attribute::decode(attribute.encode_to_vec().as_slice()), Ok(attribute));
        }
        assert_eq!(of(Value::Double(-2.0)).number(), Ok(-2));
        assert_eq!(of(Value::Text("18446744073709551615".to_owned())).number(), Ok(u64::MAX.into()));
        assert_eq!(of(Value::Bool(true)).number(), Ok(1));
    }

    #[test]
    fn other_values_are_refused() {
        let words = |text: &str| Value::Text(text.to_owned());
        let all = [
            (Value::Double(1.5), "is 1.5 (double_val)"),
            (Value::Double(f64::NAN), "is NaN (double_val)"),
            (Value::Double(1e30), "(double_val)"),
            (Value::Float(f32::INFINITY), "is inf (float_val)"),
            (words("4 MiB"), "is the text `4 MiB` (string_val)"),
            (words("9007199254740993.0"), "(string_val)"),
            (words(""), "is the text `` (string_val)"),
            (Value::Bytes(vec![1, 2]), "is 2 B (bytes_val)"),
            (Value::Int64List(Skipped {}), "is a list (int64_list)"),
            (Value::BoolList(BoolList { values: vec![true] }), "is a list (bool_list)"),
        ];
        for (value, said) in all {
            let why = of(value).number().unwrap_err();
            assert!(why.contains(said) && why.starts_with("comm_size "), "{why}");
        }
        let without = Attribute { name: "pg_name".to_owned(), value: None };
        assert!(without.text().unwrap_err().contains("pg_name has no value of a known type"));
    }

    #[test]
    fn names_may_be_numbers() {
        assert_eq!(of(Value::Int32(7)).text().as_deref(), Ok("7"));
        assert_eq!(of(Value::Double(7.0)).text().as_deref(), Ok("7"));
        assert_eq!(of(Value::Text(" a".to_owned())).text().as_deref(), Ok(" a"));
        for value in [Value::Double(0.5), Value::Bool(true), Value::TextList(Skipped {})] {
            assert!(of(value).text().is_err());
        }
    }
}
