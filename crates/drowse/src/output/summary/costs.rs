//! The lines of what energy and machine cost, of power over time, and of limits.

use drowse_tables::schema::{Column, cases};

use crate::output::number::Style;

/// A line: its label, its figure, how that is shown, and its ratio to the baseline, which these do not have.
type Line = (&'static str, Column, Style, Option<Column>);

const MONEY: Style = Style::Plain("");
const KWH: Style = Style::Plain("kWh");
const KG: Style = Style::Plain("kg");

/// What the run, and a year at its load, cost.
pub const COSTS: &[Line] = &[
    ("PUE: building for machine", cases::COST_PUE, MONEY, None),
    ("run, network and nodes", cases::COST_RUN_KWH, KWH, None),
    ("price", cases::COST_RUN, MONEY, None),
    ("CO2", cases::COST_RUN_CARBON_G, Style::Plain("g"), None),
    ("run, network", cases::COST_RUN_NETWORK_KWH, KWH, None),
    ("price", cases::COST_RUN_NETWORK, MONEY, None),
    ("CO2", cases::COST_RUN_NETWORK_CARBON_G, Style::Plain("g"), None),
    ("year at this load, network and nodes", cases::COST_YEAR_KWH, KWH, None),
    ("price", cases::COST_YEAR, MONEY, None),
    ("CO2", cases::COST_YEAR_CARBON_KG, KG, None),
    ("year at this load, network", cases::COST_YEAR_NETWORK_KWH, KWH, None),
    ("price", cases::COST_YEAR_NETWORK, MONEY, None),
    ("CO2", cases::COST_YEAR_NETWORK_CARBON_KG, KG, None),
    ("investment", cases::COST_INVESTMENT, MONEY, None),
    ("its share of a year", cases::COST_INVESTMENT_YEAR, MONEY, None),
    ("CO2 of making", cases::COST_INVESTMENT_CARBON_KG, KG, None),
    ("total cost of ownership of a year", cases::COST_OWNED_YEAR, MONEY, None),
    ("CO2 of a year", cases::COST_OWNED_YEAR_CARBON_KG, KG, None),
    ("run as a whole, its share of the investment included", cases::COST_WHOLE, MONEY, None),
];

/// The extremes of powers over time.
pub const OVER_TIME: &[Line] = &[
    ("length of an interval", cases::OVER_TIME_INTERVAL_S, Style::Seconds, None),
    ("network, peak", cases::OVER_TIME_NETWORK_PEAK_W, Style::Watts, None),
    ("network, 95th percentile", cases::OVER_TIME_NETWORK_P95_W, Style::Watts, None),
    ("network, largest change between intervals", cases::OVER_TIME_NETWORK_RAMP_W, Style::Watts, None),
    ("network, largest ramp", cases::OVER_TIME_NETWORK_RAMP_W_PER_S, Style::Ramp, None),
    ("network and nodes, peak", cases::OVER_TIME_TOTAL_PEAK_W, Style::Watts, None),
    ("network and nodes, 95th percentile", cases::OVER_TIME_TOTAL_P95_W, Style::Watts, None),
    ("network and nodes, largest change between intervals", cases::OVER_TIME_TOTAL_RAMP_W, Style::Watts, None),
    ("network and nodes, largest ramp", cases::OVER_TIME_TOTAL_RAMP_W_PER_S, Style::Ramp, None),
];

/// What a cap allowed, and what became of it.
pub const CAP: &[Line] = &[
    ("cap of switches and links", cases::CAP_W, Style::Watts, None),
    ("floor: with only those links on that must be", cases::CAP_FLOOR_W, Style::Watts, None),
    ("at most with all links on", cases::CAP_ALL_W, Style::Watts, None),
    ("at any instant at most, by what the governor counts", cases::CAP_MOST_W, Style::Watts, None),
    ("highest mean of an interval", cases::CAP_HIGHEST_W, Style::Watts, None),
    ("windows with traffic", cases::CAP_WINDOWS, Style::Count(""), None),
    ("windows that ended with a refusal", cases::CAP_REFUSED_WINDOWS, Style::Count(""), None),
    ("port time refused", cases::CAP_REFUSED_S, Style::Seconds, None),
    ("changes of links and lanes", cases::CAP_COMMANDS, Style::Count(""), None),
];

/// What follows where powers are known as limits only.
pub const LIMITS: &[Line] = &[
    ("network, low", cases::ENERGY_NETWORK_LOW_J, Style::Joules, None),
    ("network, high", cases::ENERGY_NETWORK_HIGH_J, Style::Joules, None),
    ("network and nodes, low", cases::ENERGY_TOTAL_LOW_J, Style::Joules, None),
    ("network and nodes, high", cases::ENERGY_TOTAL_HIGH_J, Style::Joules, None),
    ("mean power of network and nodes, low", cases::POWER_TOTAL_LOW_W, Style::Watts, None),
    ("mean power of network and nodes, high", cases::POWER_TOTAL_HIGH_W, Style::Watts, None),
    ("price of the run, low", cases::COST_RUN_LOW, MONEY, None),
    ("price of the run, high", cases::COST_RUN_HIGH, MONEY, None),
    ("price of a year at this load, low", cases::COST_YEAR_LOW, MONEY, None),
    ("price of a year at this load, high", cases::COST_YEAR_HIGH, MONEY, None),
];
