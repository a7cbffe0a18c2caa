//! Colours by what they mean: the one list for the page, plots, drawings of networks and the terminal.
//!
//! Those that stand in one chart can be told apart with each kind of colour blindness, too, and all can be seen on white
//! paper and on a dark screen; a test computes both. Groups, such as cases and link classes, have the colours of Okabe
//! and Ito in the order in which they come.

/// A name and its colour.
pub type Named = (&'static str, &'static str);

/// A link that sends.
pub const BUSY: &str = "#3fba84";
/// A link that is on, whether or not it sends.
pub const ON: &str = "#e69f00";
/// A link that is on and sends nothing.
pub const IDLE: &str = "#c77700";
/// A link, or what waits for one, while that wakes.
pub const WAKING: &str = "#cc3a52";
/// What waits for room at the other end of a link.
pub const NO_CREDIT: &str = "#b7a500";
/// A message that travels.
pub const NETWORK: &str = "#6b4a2b";
/// A message within a node.
pub const MEMORY: &str = "#c9b18a";
/// A rank that computes.
pub const COMPUTING: &str = "#8c8c8c";
/// A rank whose processor is busy with messages.
pub const OVERHEAD: &str = "#4f5d6b";
/// A rank that waits until its sends are complete.
pub const SENDING: &str = "#eeb0d4";
/// A rank that waits for messages.
pub const RECEIVING: &str = "#b0509a";
/// A rank in a collective operation.
pub const COLLECTIVES: &str = "#7d3f98";
/// A rank that has ended.
pub const ENDED: &str = "#e4e6e8";
/// A link that sleeps, where its depth does not matter.
pub const ASLEEP: &str = "#3f86c9";
/// What is no data.
pub const GREY: &str = "#8c8c8c";
/// A bound, or another limit.
pub const BOUND: &str = "#7a7a7a";

/// The states of links by their names in result tables: on, falling asleep, asleep by depth, and waking.
pub const STATES: [Named; 9] = [
    ("on", ON),
    ("entering", "#f5d76e"),
    ("shallow", "#a5dbf7"),
    ("deep", ASLEEP),
    ("third", "#2a62ad"),
    ("fourth", "#1f4788"),
    ("fifth", "#5b3f95"),
    ("sixth", "#7d2f77"),
    ("waking", WAKING),
];

/// The palette of Okabe and Ito, which colour-blind people can tell apart, without what is faint on white or on black.
pub const GROUPS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c8c8c"];

/// The scale viridis from dark for the least to bright for the most; it reads in grey and to colour-blind people.
pub const RAMP: [&str; 9] =
    ["#440154", "#472d7b", "#3b528b", "#2c728e", "#21918c", "#28ae80", "#5ec962", "#addc30", "#fde725"];

/// Returns red, green and blue of a colour such as `#0072b2`; black for what is none.
pub fn channels(colour: &str) -> [u8; 3] {
    let part = |from: usize| colour.get(from..from + 2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
    [1, 3, 5].map(|from| part(from).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What people see of linear light who lack one kind of cones: Machado, Oliveira and Fernandes 2009, severity 1.
    const SIGHTS: [[[f64; 3]; 3]; 4] = [
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
    ];

    fn linear(colour: &str) -> [f64; 3] {
        channels(colour).map(|part| {
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        })
    }

    fn product(matrix: &[[f64; 3]; 3], of: [f64; 3]) -> [f64; 3] {
        matrix.map(|row| row.iter().zip(of).map(|(a, b)| a * b).sum())
    }

    /// CIE L*a*b* under the white D65.
    fn lab(light: [f64; 3]) -> [f64; 3] {
        let xyz = product(
            &[[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.072175], [0.0193339, 0.119192, 0.9503041]],
            light.map(|part| part.clamp(0.0, 1.0)),
        );
        let f = |t: f64| if t > 0.008856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 };
        let [x, y, z] = [xyz[0] / 0.95047, xyz[1], xyz[2] / 1.08883].map(f);
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    /// The least distance of two colours that anybody sees.
    fn distance(one: &str, other: &str) -> f64 {
        let seen = |sight, colour| lab(product(sight, linear(colour)));
        let apart = |sight| {
            let (one, other) = (seen(sight, one), seen(sight, other));
            one.iter().zip(other).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
        };
        SIGHTS.iter().map(apart).fold(f64::INFINITY, f64::min)
    }

    fn contrast(one: &str, other: &str) -> f64 {
        let luminance = |colour: &str| {
            let [red, green, blue] = linear(colour);
            0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05
        };
        let (one, other) = (luminance(one), luminance(other));
        one.max(other) / one.min(other)
    }

    /// A difference of 2.3 is the least that can be seen.
    #[test]
    fn colours_of_one_chart_can_be_told_apart() {
        let usual: Vec<&str> = STATES.iter().map(|(_, colour)| *colour).filter(|colour| !deeper(colour)).collect();
        let links = [usual, vec![BUSY, IDLE]].concat();
        let ranks = vec![COMPUTING, OVERHEAD, SENDING, RECEIVING, COLLECTIVES, ENDED];
        let path = vec![COMPUTING, OVERHEAD, MEMORY, NETWORK, WAKING];
        let waits = vec![COMPUTING, RECEIVING, NETWORK, MEMORY, WAKING];
        for chart in [links, ranks, path, waits, vec![BUSY, NO_CREDIT, ASLEEP]] {
            for (place, one) in chart.iter().enumerate() {
                for other in &chart[place + 1..] {
                    assert!(distance(one, other) > 12.0, "{one} {other}: {}", distance(one, other));
                }
            }
        }
        let depths: Vec<&str> = STATES.iter().map(|(_, colour)| *colour).filter(|colour| deeper(colour)).collect();
        assert!(depths.windows(2).all(|two| distance(two[0], two[1]) > 4.0));
    }

    /// States beyond the second sleep state.
    fn deeper(colour: &str) -> bool {
        STATES.iter().any(|(name, known)| *known == colour && ["third", "fourth", "fifth", "sixth"].contains(name))
    }

    /// White paper, and the dark card of the page: marks must be seen, texts have colours of their own.
    #[test]
    fn colours_can_be_seen_on_white_and_on_dark() {
        let others = [BUSY, IDLE, NO_CREDIT, NETWORK, MEMORY, COMPUTING, OVERHEAD, SENDING, RECEIVING, COLLECTIVES];
        for colour in STATES.iter().map(|(_, colour)| *colour).chain(others).chain(GROUPS) {
            let seen = ["#ffffff", "#191d23"].map(|ground| contrast(colour, ground));
            assert!(seen.iter().all(|&contrast| contrast > 1.4), "{colour}: {seen:?}");
        }
    }
}
