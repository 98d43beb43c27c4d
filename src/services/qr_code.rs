//! QR codes as SVG elements of pages.

use qrcode::{Color, QrCode};
use std::fmt::Write as _;

/// Width of the light border that readers need, in modules.
const BORDER: usize = 4;

/// Returns the QR code of a text as an SVG element, dark on light in every theme. It has no text: an
/// alternative stands beside it. `None`: the text is too long.
#[must_use]
pub fn svg(text: &str) -> Option<String> {
    let code = QrCode::new(text).ok()?;
    let width = code.width();
    let side = width + 2 * BORDER;
    let mut dark = String::new();
    for (row, modules) in code.into_colors().chunks(width).enumerate() {
        let mut column = BORDER;
        for run in modules.chunk_by(|one, next| one == next) {
            let length = run.len();
            if run.first() == Some(&Color::Dark) {
                let _ = write!(dark, "M{column} {}h{length}v1h-{length}z", row + BORDER);
            }
            column += length;
        }
    }
    Some(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {side}\" width=\"200\" height=\"200\" \
         shape-rendering=\"crispEdges\" aria-hidden=\"true\"><path fill=\"#fff\" d=\"M0 0h{side}v{side}h-{side}z\"/>\
         <path fill=\"#000\" d=\"{dark}\"/></svg>"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_modules_of_a_code_are_inside_of_its_border() {
        // A code of 21 modules, with a finder pattern of seven modules in three corners.
        let svg = svg("HELLO").unwrap();
        assert!(svg.contains("viewBox=\"0 0 29 29\""), "{svg}");
        for corner in ["M4 4h7v1h-7z", "M18 4h7v1h-7z", "M4 18h7v1h-7z"] {
            assert!(svg.contains(corner), "{corner} in {svg}");
        }
        let dark = svg.rsplit_once("d=\"").unwrap().1.split('"').next().unwrap();
        let modules: usize = dark
            .split('z')
            .filter_map(|run| run.split_once('h')?.1.split_once('v')?.0.parse::<usize>().ok())
            .sum();
        let code = QrCode::new("HELLO").unwrap();
        assert_eq!(modules, code.to_colors().iter().filter(|color| **color == Color::Dark).count());
    }

    #[test]
    fn a_text_that_is_too_long_has_no_code() {
        assert_eq!(svg(&"x".repeat(3_000)), None);
    }
}
