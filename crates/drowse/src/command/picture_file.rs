//! Files of pictures, by their formats.

use drowse_picture::{Picture, pdf, png, svg, unknown};
use drowse_run::files::target::Target;

use crate::failure::Failure;
use crate::output;

/// A format of pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Scalable Vector Graphics.
    Svg,
    /// Portable Document Format.
    Pdf,
    /// Portable Network Graphics.
    Png,
}

/// Writes a picture, and says which letters its font does not have.
pub fn save(target: &Target, picture: &Picture, format: Format) -> Result<(), Failure> {
    if format == Format::Svg {
        return output::save_svg(target, &svg(picture));
    }
    let missing = unknown(picture.texts());
    if !missing.is_empty() {
        let letters: Vec<String> = missing.iter().map(|letter| format!("`{letter}`")).collect();
        let words = "are boxes: the font of pictures does not have them; an SVG keeps all letters";
        output::warn(&[format!("{} {words}", letters.join(", "))]);
    }
    let failed = || Failure::Refused("error: the picture has no size".into());
    let bytes = if format == Format::Pdf { pdf(picture) } else { png(picture).ok_or_else(failed)? };
    output::save_bytes(target, &bytes)
}
