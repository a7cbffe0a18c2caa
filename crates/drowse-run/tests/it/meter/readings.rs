//! The readings, and the published models.

/// What was measured in one configuration.
#[derive(Clone, Debug)]
pub struct Reading {
    pub medium: String,
    pub test: String,
    pub speed: String,
    /// Modules plugged, ports enabled, or ports in a row, by the test.
    pub ports: f64,
    /// Bytes of data of a packet.
    pub bytes: f64,
    /// Data rate in Gb/s, headers left out.
    pub gbps: f64,
    pub watts: Vec<f64>,
}

/// A data set: a switch with one medium at one speed.
#[derive(Clone, Copy, Debug)]
pub struct Set {
    pub device: &'static str,
    pub medium: &'static str,
    pub speed: &'static str,
}

pub const ARISTA: Set = Set { device: "arista-7280cr3k-32d4", medium: "dac", speed: "100G" };
pub const ARISTA_50G: Set = Set { speed: "50G", ..ARISTA };
pub const ARISTA_FR: Set = Set { medium: "fr", speed: "400G", ..ARISTA };
pub const NEXUS: Set = Set { device: "nexus-9336c-fx2", medium: "dac", speed: "100G" };
pub const NEXUS_LR: Set = Set { medium: "lr", ..NEXUS };

/// Returns all readings of a switch.
pub fn all(device: &str) -> Vec<Reading> {
    let text = if device.starts_with("arista") {
        include_str!("../../data/meter/arista.csv")
    } else {
        include_str!("../../data/meter/nexus.csv")
    };
    text.lines().skip(1).map(reading).collect()
}

fn reading(line: &str) -> Reading {
    let words: Vec<&str> = line.split(',').collect();
    let number = |word: &str| if word.is_empty() { 0.0 } else { word.parse().unwrap() };
    let [medium, test, speed] = [0, 1, 2].map(|column| words[column].to_owned());
    let watts = words[6].split(' ').map(number).collect();
    Reading { medium, test, speed, ports: number(words[3]), bytes: number(words[4]), gbps: number(words[5]), watts }
}

/// Returns the readings of a test of a data set.
pub fn of(set: Set, test: &str) -> Vec<Reading> {
    let fits = |reading: &Reading| {
        let speed = reading.speed.is_empty() || reading.speed == set.speed;
        reading.test == test && (test == "base" || (reading.medium == set.medium && speed))
    };
    all(set.device).into_iter().filter(fits).collect()
}

/// Returns the median.
pub fn median(numbers: &[f64]) -> f64 {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 { sorted[middle] } else { f64::midpoint(sorted[middle - 1], sorted[middle]) }
}

/// A published model: the name of the file, port type, medium and speed, with the value of each term as it is written.
type Published = (&'static str, [String; 3], Vec<(String, String)>);

/// Returns the published models. A `default:` entry has none of the terms.
pub fn published() -> Vec<Published> {
    const FILES: [(&str, &str); 5] = [
        ("n540x-8z16g-sys-a", include_str!("../../data/meter/N540X-8Z16G-SYS-A.model.yml")),
        ("arista-7280cr3k-32d4", include_str!("../../data/meter/aristaDCS-7280CR3K-32D4.model.yml")),
        ("cisco-8201-32fh", include_str!("../../data/meter/cisco8201-32FH.model.yml")),
        ("ncs-55a1-24h", include_str!("../../data/meter/ciscoNCS55A1-24H.model.yml")),
        ("nexus-9336c-fx2", include_str!("../../data/meter/ciscoNexus9336-FX2.model.yml")),
    ];
    let mut models = Vec::new();
    for (device, text) in FILES {
        let mut path: Vec<String> = Vec::new();
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let depth = (line.len() - line.trim_start().len()) / 2;
            let (key, value) = line.trim().split_once(':').unwrap();
            path.truncate(depth);
            if depth == 2 && path[0] != "metadata" {
                models.push((device, [path[0].clone(), path[1].clone(), key.to_owned()], Vec::new()));
            } else if depth == 3 && !value.is_empty() {
                models.last_mut().unwrap().2.push((key.to_owned(), value.trim().to_owned()));
            }
            path.push(key.to_owned());
        }
    }
    models
}
