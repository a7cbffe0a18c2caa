//! The parts that a PNG file is made of.

use crc32fast::hash;
use miniz_oxide::deflate::compress_to_vec_zlib;

use crate::MARK;

/// How much time is spent on compressing; the bytes are the same on every machine.
pub const EFFORT: u8 = 7;
/// A metre has so many inches.
const INCHES: f64 = 39.3701;

/// Writes rows of red, green and blue as a file with so many dots an inch.
#[expect(clippy::cast_sign_loss, reason = "a number of dots is not negative")]
pub fn png(width: u32, height: u32, dots: f64, rgb: &[u8]) -> Vec<u8> {
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, 2, 0, 0, 0]].concat();
    chunk(&mut file, *b"IHDR", &header);
    let metre = ((dots * INCHES).round() as u32).to_be_bytes();
    chunk(&mut file, *b"pHYs", &[&metre[..], &metre, &[1]].concat());
    chunk(&mut file, *b"tEXt", format!("Software\0{MARK}").as_bytes());
    chunk(&mut file, *b"IDAT", &compress_to_vec_zlib(&filtered(width as usize * 3, rgb), EFFORT));
    chunk(&mut file, *b"IEND", &[]);
    file
}

fn chunk(file: &mut Vec<u8>, kind: [u8; 4], data: &[u8]) {
    file.extend((data.len() as u32).to_be_bytes());
    let from = file.len();
    file.extend(kind);
    file.extend_from_slice(data);
    let sum = hash(&file[from..]);
    file.extend(sum.to_be_bytes());
}

/// Writes each row as its difference from the one above, which is mostly nothing.
fn filtered(row: usize, rgb: &[u8]) -> Vec<u8> {
    const UP: u8 = 2;
    let mut bytes = Vec::with_capacity(rgb.len() + rgb.len() / row.max(1));
    let mut above: &[u8] = &[];
    for line in rgb.chunks_exact(row.max(1)) {
        bytes.push(UP);
        bytes.extend(line.iter().enumerate().map(|(at, byte)| byte.wrapping_sub(above.get(at).copied().unwrap_or(0))));
        above = line;
    }
    bytes
}
