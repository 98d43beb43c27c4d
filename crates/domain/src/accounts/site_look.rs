//! How the public site looks: description, accent colour, footer, links, navigation and layout.

use crate::{
    Version,
    state::{ParseEnumError, string_enum},
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// Maximum length of the description and of the footer, in characters.
pub const MAX_SITE_TEXT_CHARS: usize = 300;
/// Maximum number of links in the footer.
pub const MAX_SITE_LINKS: usize = 8;
/// Maximum length of the name of a link, in characters.
pub const MAX_LINK_NAME_CHARS: usize = 40;
/// Maximum number of pages in the navigation.
pub const MAX_NAVIGATION_PAGES: usize = 12;
/// Maximum size of the stylesheet, bytes.
pub const MAX_STYLE_BYTES: usize = 64 * 1024;
/// Minimum contrast of text and background (WCAG AA).
pub const MIN_CONTRAST: f64 = 4.5;

string_enum! {
    /// Arrangement of the lists.
    SiteLayout {
        /// Title, date and summary in one column.
        Journal = "journal",
        /// One line for each article.
        Notes = "notes",
        /// Cards with covers in several columns.
        Magazine = "magazine",
    }
}

/// A link in the footer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SiteLink {
    /// Name.
    pub name: String,
    /// `https` or `mailto` address.
    pub url: String,
}

/// How the public site looks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SiteLook {
    /// Description for search engines and cards; empty: none.
    pub description: String,
    /// Accent colour as `#rrggbb`; empty: the built-in one.
    pub accent: String,
    /// Text in the footer; empty: none.
    pub footer: String,
    /// Links in the footer.
    pub links: Vec<SiteLink>,
    /// Slugs of the pages in the navigation, in order; empty: all public pages by title.
    pub navigation: Vec<String>,
    /// Arrangement of the lists.
    pub layout: SiteLayout,
    /// Path of the picture in the head of each page instead of the title; empty: the title.
    // Left out if empty: a stored look is compared with its text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub logo: String,
    /// Path of the picture in the tab of the browser; empty: the built-in one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub favicon: String,
    /// Hash of the published stylesheet, which is in its address; empty: none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub style: String,
    /// Increases with each change.
    pub version: Version,
}

impl Default for SiteLook {
    fn default() -> Self {
        Self {
            description: String::new(),
            accent: String::new(),
            footer: String::new(),
            links: Vec::new(),
            navigation: Vec::new(),
            layout: SiteLayout::Journal,
            logo: String::new(),
            favicon: String::new(),
            style: String::new(),
            version: Version::FIRST,
        }
    }
}

/// The stylesheet of the site as admins edit it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SiteStyle {
    /// The draft, or the published stylesheet if there is no draft.
    pub css: String,
    /// Its hash; empty: it is empty.
    pub hash: String,
    /// Whether readers see it.
    pub is_published: bool,
}

impl SiteLook {
    /// Whether it shows the file with this hash.
    #[must_use]
    pub fn shows(&self, hash: &str) -> bool {
        [&self.logo, &self.favicon].iter().any(|path| path.contains(hash))
    }
}

/// A colour with eight bits for red, green and blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Colour(pub [u8; 3]);

/// The lightest background of the light theme under text, and the lightest of the dark one.
const LIGHT_BACKGROUND: Colour = Colour([0xf3, 0xf0, 0xe8]);
const DARK_BACKGROUND: Colour = Colour([0x1b, 0x1e, 0x22]);
const WHITE: Colour = Colour([0xff, 0xff, 0xff]);
const BLACK: Colour = Colour([0x0b, 0x1a, 0x23]);

impl Colour {
    /// Parses `#rrggbb` or `rrggbb`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('#').unwrap_or(text);
        if digits.len() != 6 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let part = |at: usize| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
        Some(Self([part(0)?, part(2)?, part(4)?]))
    }

    /// Contrast ratio to another colour, from 1 to 21 (WCAG 2).
    #[must_use]
    pub fn contrast(self, other: Self) -> f64 {
        let (one, other) = (self.luminance() + 0.05, other.luminance() + 0.05);
        if one > other { one / other } else { other / one }
    }

    fn luminance(self) -> f64 {
        let linear = |part: u8| {
            let part = f64::from(part) / 255.0;
            if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        let [red, green, blue] = self.0.map(linear);
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    /// Contrast to the background of the light theme.
    #[must_use]
    pub fn contrast_in_light(self) -> f64 {
        self.contrast(LIGHT_BACKGROUND)
    }

    /// Returns it, made lighter until it can be read in the dark theme.
    #[must_use]
    pub fn for_dark(self) -> Self {
        let mut colour = self;
        for _ in 0..=64 {
            if colour.contrast(DARK_BACKGROUND) >= MIN_CONTRAST {
                break;
            }
            colour = Self(colour.0.map(|part| part.saturating_add((255 - part) / 12 + 1)));
        }
        colour
    }

    /// Returns the colour of text on it: white or nearly black.
    #[must_use]
    pub fn text_on(self) -> Self {
        if self.contrast(WHITE) >= self.contrast(BLACK) { WHITE } else { BLACK }
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue] = self.0;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contrast_is_that_of_wcag() {
        let of = |text: &str| Colour::parse(text).unwrap();
        assert!((of("#000000").contrast(of("#ffffff")) - 21.0).abs() < 0.01);
        assert!((of("#777777").contrast(of("#ffffff")) - 4.48).abs() < 0.01);
        assert!(of("#0d567a").contrast_in_light() > MIN_CONTRAST);
        assert!(of("#ffcc00").contrast_in_light() < MIN_CONTRAST);
        for bad in ["", "#fff", "red", "#12345g", "#1234567"] {
            assert_eq!(Colour::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn every_colour_can_be_read_in_the_dark_theme_and_has_text() {
        for text in ["#000000", "#0d567a", "#7a0d0d", "#0000ff", "#123456", "#767676"] {
            let colour = Colour::parse(text).unwrap();
            assert!(colour.for_dark().contrast(DARK_BACKGROUND) >= MIN_CONTRAST, "{text}");
            for shown in [colour, colour.for_dark()] {
                assert!(shown.text_on().contrast(shown) >= 4.0, "{text} {shown}");
            }
        }
    }
}
