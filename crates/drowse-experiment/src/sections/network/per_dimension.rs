//! A number for all dimensions, or one for each.

use std::borrow::Cow;
use std::fmt;

use drowse_core::topology;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::{Deserializer, Error, SeqAccess, Unexpected, Visitor};

/// One whole number, or a list with one per dimension.
pub struct PerDimension(pub topology::PerDimension);

impl Default for PerDimension {
    fn default() -> Self {
        PerDimension(topology::PerDimension::All(1))
    }
}

impl JsonSchema for PerDimension {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "PerDimension".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [generator.subschema_for::<u32>(), generator.subschema_for::<Vec<u32>>()] })
    }
}

impl<'de> Deserialize<'de> for PerDimension {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PerDimensionVisitor).map(PerDimension)
    }
}

struct PerDimensionVisitor;

impl<'de> Visitor<'de> for PerDimensionVisitor {
    type Value = topology::PerDimension;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number such as 4, or a list with one per dimension such as [1, 4]")
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<topology::PerDimension, E> {
        let wrong = |_| E::invalid_value(Unexpected::Signed(number), &self);
        u32::try_from(number).map(topology::PerDimension::All).map_err(wrong)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<topology::PerDimension, A::Error> {
        let mut widths = Vec::new();
        while let Some(width) = items.next_element()? {
            widths.push(width);
        }
        Ok(topology::PerDimension::Each(widths))
    }
}
