//! `network.routing`: which routings each family of networks has.

use drowse_core::routing::RoutingKind;
use schemars::{JsonSchema, Schema};
use serde::Deserialize;
use serde_json::{Value, json};

/// How packets are routed on a torus, mesh or hypercube.
#[derive(Clone, Copy, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GridRouting {
    /// Any minimal output on adaptive virtual channels, dimension order on escape ones (Duato).
    #[default]
    Adaptive,
    /// One dimension after the other, lowest first.
    DimensionOrder,
}

/// How packets are routed on a tree.
#[derive(Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TreeRouting {
    /// Up by the output with the most credits.
    #[default]
    Adaptive,
    /// Up by an output drawn at random.
    Random,
    /// Up by an output that the destination's number fixes.
    #[serde(rename = "d-mod-k")]
    DModK,
}

/// How packets are routed on networks of groups; `direct` and `indirect` are the words of PERCS.
#[derive(Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(transform = add_words_of_percs)]
pub enum GroupRouting {
    /// By a minimal path.
    #[default]
    #[serde(alias = "direct")]
    Minimal,
    /// By an intermediate group that is drawn for each packet.
    #[serde(alias = "indirect")]
    Valiant,
    /// Minimal or by an intermediate group, as the queues at the source switch advise.
    Ugal,
    /// The same, and decided once more after the first hop of a minimal route.
    Progressive,
}

/// How packets are routed where switches have coordinates and each is joined with all others of its line.
#[derive(Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CoordinateRouting {
    /// By any minimal path.
    #[default]
    Minimal,
    /// By a minimal path, one dimension after the other.
    DimensionOrder,
    /// By an intermediate switch that is drawn for each packet.
    Valiant,
    /// Minimal or by an intermediate switch, as the queues at the source switch advise.
    Ugal,
    /// The same, and decided once more after the first hop of a minimal route.
    Progressive,
}

/// How packets are routed on graphs, by tables.
#[derive(Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GraphRouting {
    /// By any shortest path.
    #[default]
    Minimal,
    /// By an intermediate switch that is drawn for each packet.
    Valiant,
    /// Minimal or by an intermediate switch, as the queues at the source switch advise.
    Ugal,
    /// The same, and decided once more after the first hop of a minimal route.
    Progressive,
    /// Down where a path leads down, else up; one virtual channel suffices.
    UpDown,
    /// By one of the `paths` shortest paths, which is drawn for each packet.
    KShortest,
}

/// Adds the other words of [`GroupRouting`] to its schema.
fn add_words_of_percs(schema: &mut Schema) {
    let Some(words) = schema.get_mut("oneOf").and_then(Value::as_array_mut) else { return };
    for (word, routing) in [("direct", "minimal"), ("indirect", "valiant")] {
        let description = format!("The word of PERCS for `{routing}`.");
        words.push(json!({ "description": description, "type": "string", "const": word }));
    }
}

impl From<GridRouting> for RoutingKind {
    fn from(routing: GridRouting) -> Self {
        match routing {
            GridRouting::Adaptive => RoutingKind::Adaptive,
            GridRouting::DimensionOrder => RoutingKind::DimensionOrder,
        }
    }
}

impl From<TreeRouting> for RoutingKind {
    fn from(routing: TreeRouting) -> Self {
        match routing {
            TreeRouting::Adaptive => RoutingKind::Adaptive,
            TreeRouting::Random => RoutingKind::Random,
            TreeRouting::DModK => RoutingKind::DModK,
        }
    }
}

impl From<GroupRouting> for RoutingKind {
    fn from(routing: GroupRouting) -> Self {
        match routing {
            GroupRouting::Minimal => RoutingKind::Minimal,
            GroupRouting::Valiant => RoutingKind::Valiant,
            GroupRouting::Ugal => RoutingKind::Ugal,
            GroupRouting::Progressive => RoutingKind::Progressive,
        }
    }
}

impl From<CoordinateRouting> for RoutingKind {
    fn from(routing: CoordinateRouting) -> Self {
        match routing {
            CoordinateRouting::Minimal => RoutingKind::Minimal,
            CoordinateRouting::DimensionOrder => RoutingKind::DimensionOrder,
            CoordinateRouting::Valiant => RoutingKind::Valiant,
            CoordinateRouting::Ugal => RoutingKind::Ugal,
            CoordinateRouting::Progressive => RoutingKind::Progressive,
        }
    }
}

impl From<GraphRouting> for RoutingKind {
    fn from(routing: GraphRouting) -> Self {
        match routing {
            GraphRouting::Minimal => RoutingKind::Minimal,
            GraphRouting::Valiant => RoutingKind::Valiant,
            GraphRouting::Ugal => RoutingKind::Ugal,
            GraphRouting::Progressive => RoutingKind::Progressive,
            GraphRouting::UpDown => RoutingKind::UpDown,
            GraphRouting::KShortest => RoutingKind::KShortest,
        }
    }
}
