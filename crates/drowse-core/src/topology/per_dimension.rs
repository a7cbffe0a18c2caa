//! Parameters that may differ by dimension.

use std::fmt;

use serde::Serialize;
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Unexpected, Visitor};

/// A number for all dimensions, or one for each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(untagged)]
pub enum PerDimension {
    /// One number for every dimension.
    All(u32),
    /// One per dimension.
    Each(Vec<u32>),
}

impl Default for PerDimension {
    fn default() -> Self {
        PerDimension::All(1)
    }
}

impl<'de> Deserialize<'de> for PerDimension {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PerDimensionVisitor)
    }
}

struct PerDimensionVisitor;

impl<'de> Visitor<'de> for PerDimensionVisitor {
    type Value = PerDimension;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number such as 4, or a list with one per dimension such as [1, 4]")
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<PerDimension, E> {
        let wrong = |_| E::invalid_value(Unexpected::Signed(number), &self);
        u32::try_from(number).map(PerDimension::All).map_err(wrong)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<PerDimension, A::Error> {
        let mut widths = Vec::new();
        while let Some(width) = items.next_element()? {
            widths.push(width);
        }
        Ok(PerDimension::Each(widths))
    }
}
