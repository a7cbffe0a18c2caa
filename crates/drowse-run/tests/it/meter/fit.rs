//! From readings to the terms of a model.

use super::readings::{Reading, Set, median, of};

/// A line through points, by least squares.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    pub intercept: f64,
    pub slope: f64,
    /// Standard error of the slope.
    pub error: f64,
}

/// Bytes of headers with which RDMA packets were counted.
pub const HEADER: f64 = 58.0;

pub fn line(points: &[(f64, f64)]) -> Line {
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let spread: f64 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
    let slope = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum::<f64>() / spread;
    let intercept = y - slope * x;
    let rest: f64 = points.iter().map(|point| (point.1 - intercept - slope * point.0).powi(2)).sum();
    Line { intercept, slope, error: (rest / (count - 2.0) / spread).sqrt() }
}

/// Joules of a bit and of a packet at a port.
#[derive(Clone, Copy, Debug)]
pub struct Energies {
    pub bit: f64,
    pub packet: f64,
}

/// The terms of a model.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    pub base: f64,
    pub plugged: f64,
    pub on: f64,
    pub up: f64,
    /// Energies as published, and for packets of their real length, where there was traffic.
    pub energies: Option<[Energies; 2]>,
    /// What snake tests draw beyond the rest, for each port: drift between days.
    pub offset: f64,
}

/// Derives all terms as the authors do.
pub fn derive(set: Set) -> Terms {
    let single = |test: &str| -> Vec<(f64, f64)> {
        let each = |reading: Reading| reading.watts.into_iter().map(move |watts| (reading.ports, watts));
        of(set, test).into_iter().flat_map(each).collect()
    };
    let base = median(&single("base").iter().map(|point| point.1).collect::<Vec<f64>>());
    let idle = single("idle");
    let plugged = median(&idle.iter().map(|(modules, watts)| (watts - base) / modules).collect::<Vec<f64>>());
    let idle = median(&idle.iter().map(|point| point.1).collect::<Vec<f64>>());
    // A line through the idle power at no port.
    let per_port = |test: &str| {
        let points = single(test);
        let product: f64 = points.iter().map(|(ports, watts)| ports * (watts - idle)).sum();
        product / points.iter().map(|(ports, _)| ports * ports).sum::<f64>()
    };
    let on = per_port("switch");
    let up = per_port("trx") - on;
    let snake = of(set, "snake");
    let energies = (!snake.is_empty()).then(|| [HEADER, 0.0].map(|header| energies(&snake, header)));
    let offset = if snake.is_empty() { 0.0 } else { offset(set, &snake) };
    Terms { base, plugged, on, up, energies, offset }
}

/// Returns the packet sizes of readings, in order.
pub fn sizes(snake: &[Reading]) -> Vec<f64> {
    let mut sizes: Vec<f64> = snake.iter().map(|reading| reading.bytes).collect();
    sizes.sort_by(f64::total_cmp);
    sizes.dedup();
    sizes
}

/// Returns the line of watts over Gb/s through all readings of a packet size.
pub fn over_rate(snake: &[Reading], bytes: f64) -> Line {
    let of_size = snake.iter().filter(|reading| reading.bytes == bytes);
    let points: Vec<(f64, f64)> =
        of_size.flat_map(|reading| reading.watts.iter().map(|&watts| (reading.gbps, watts))).collect();
    line(&points)
}

/// Fits a straight line to the energy of a packet over its data. Data rates count `header` more bytes of each packet.
fn energies(snake: &[Reading], header: f64) -> Energies {
    let ports = snake[0].ports;
    let of_packet = |&bytes: &f64| (bytes, over_rate(snake, bytes).slope / 1e9 * 8.0 * (bytes + header) / ports);
    let line = line(&sizes(snake).iter().map(of_packet).collect::<Vec<(f64, f64)>>());
    let bit = line.slope / 8.0;
    Energies { bit, packet: line.intercept - 8.0 * HEADER * bit }
}

/// Returns what the snake tests draw beyond links that are up, for each port.
pub fn offset(set: Set, snake: &[Reading]) -> f64 {
    let ports = snake[0].ports;
    let quiet = of(set, "trx").into_iter().find(|reading| reading.ports == ports).unwrap();
    let intercepts: Vec<f64> = sizes(snake).iter().map(|&bytes| over_rate(snake, bytes).intercept).collect();
    (median(&intercepts) - median(&quiet.watts)) / ports
}

/// Fits the energies to the slopes of all packet sizes, each with the weight of its error: for packets of their real
/// length. The authors' fit gives the longest packets, whose slopes are the least certain, the most weight.
pub fn weighted(snake: &[Reading]) -> Energies {
    let ports = snake[0].ports;
    let mut sums = [0.0; 5];
    for bytes in sizes(snake) {
        let Line { slope, error, .. } = over_rate(snake, bytes);
        let (bits, packets) = (1e9 * ports * (bytes + HEADER) / bytes, 1e9 * ports / (8.0 * bytes));
        let more = [bits * bits, bits * packets, packets * packets, bits * slope, packets * slope];
        sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more / (error * error));
    }
    let [aa, ab, bb, ay, by] = sums;
    let determinant = aa * bb - ab * ab;
    Energies { bit: (ay * bb - by * ab) / determinant, packet: (aa * by - ab * ay) / determinant }
}

/// Returns every other rate of each packet size: the first, or the second.
pub fn half(snake: &[Reading], which: usize) -> Vec<Reading> {
    let mut rates: Vec<(f64, f64)> = snake.iter().map(|reading| (reading.bytes, reading.gbps)).collect();
    rates.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let place = |reading: &Reading| {
        let of_size: Vec<f64> = rates.iter().filter(|rate| rate.0 == reading.bytes).map(|rate| rate.1).collect();
        of_size.iter().position(|&rate| rate == reading.gbps).unwrap()
    };
    snake.iter().filter(|reading| place(reading) % 2 == which).cloned().collect()
}
