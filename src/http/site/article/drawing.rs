//! Draws a card. Letters for which the machine has no font are not drawn as boxes: then the card has no title.

use super::fonts;
use cosmic_text::{
    Attrs, Buffer, Color, Ellipsize, EllipsizeHeightLimit, FontSystem, Metrics, Shaping, SwashCache, Weight,
    Wrap, fontdb::Database,
};
use domain::accounts::site_look::Colour;
use image::{ImageFormat, Rgb, RgbImage};
use std::io::Cursor;

/// Width of a card in pixels, as networks show it.
pub const WIDTH: u32 = 1_200;
/// Its height.
pub const HEIGHT: u32 = 630;

/// Width of the text, and its distance from the edges.
const TEXT_WIDTH: f32 = 1_040.0;
const MARGIN: i32 = 80;
/// Sizes of a title in pixels, and the most lines it may have in each. A title that needs more lines in the last
/// one is cut.
const SIZES: [(f32, usize); 4] = [(92.0, 3), (72.0, 4), (58.0, 5), (48.0, 6)];
/// Height of a line in sizes of the text.
const LINE: f32 = 1.25;
/// Size of the name of the site, and where it stands.
const SITE_SIZE: f32 = 36.0;
const SITE_TOP: i32 = 510;

/// What a card shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Card {
    /// Title of the article.
    pub title: String,
    /// Name of the site.
    pub site: String,
    /// Its background.
    pub colour: Colour,
    /// Language of the title, which decides between forms of Chinese characters.
    pub language: String,
}

/// Returns the card as a PNG file; `None`: it cannot be written.
pub fn png(card: &Card) -> Option<Vec<u8>> {
    let picture = draw(card, fonts::all());
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, ImageFormat::Png).ok()?;
    Some(bytes.into_inner())
}

fn draw(card: &Card, fonts: Database) -> RgbImage {
    let mut picture = RgbImage::from_pixel(WIDTH, HEIGHT, Rgb(card.colour.0));
    if fonts.is_empty() {
        return picture;
    }
    let mut pen = Pen {
        fonts: FontSystem::new_with_locale_and_db(card.language.clone(), fonts),
        glyphs: SwashCache::new(),
        colour: card.colour.text_on(),
    };
    if let Some(mut title) = pen.title(&card.title) {
        pen.write(&mut picture, &mut title, MARGIN);
    }
    if let Some(mut site) = pen.line(&card.site, (SITE_SIZE, 1), Weight::NORMAL) {
        pen.write(&mut picture, &mut site.0, SITE_TOP);
    }
    picture
}

/// Writes text in one colour.
struct Pen {
    fonts: FontSystem,
    glyphs: SwashCache,
    colour: Colour,
}

impl Pen {
    /// Sets a title in the largest size in which it fits. `None`: a letter has no font.
    fn title(&mut self, text: &str) -> Option<Buffer> {
        let mut last = None;
        for size in SIZES {
            let (buffer, is_whole) = self.line(text, size, Weight::BOLD)?;
            if is_whole {
                return Some(buffer);
            }
            last = Some(buffer);
        }
        last
    }

    /// Sets a text, cut after a number of lines, and returns whether that is all of it. `None`: a letter has no
    /// font.
    fn line(&mut self, text: &str, (size, lines): (f32, usize), weight: Weight) -> Option<(Buffer, bool)> {
        let mut buffer = Buffer::new(&mut self.fonts, Metrics::relative(size, LINE));
        buffer.set_wrap(Wrap::WordOrGlyph);
        buffer.set_size(Some(TEXT_WIDTH), None);
        buffer.set_text(text, &Attrs::new().weight(weight), Shaping::Advanced, None);
        buffer.shape_until_scroll(&mut self.fonts, false);
        let has_all = buffer.layout_runs().all(|run| run.glyphs.iter().all(|glyph| glyph.glyph_id != 0));
        if !has_all {
            return None;
        }
        let is_whole = buffer.layout_runs().count() <= lines;
        if !is_whole {
            buffer.set_ellipsize(Ellipsize::End(EllipsizeHeightLimit::Lines(lines)));
            buffer.shape_until_scroll(&mut self.fonts, false);
        }
        Some((buffer, is_whole))
    }

    /// Draws a text whose first line begins at `top`.
    fn write(&mut self, picture: &mut RgbImage, text: &mut Buffer, top: i32) {
        let [red, green, blue] = self.colour.0;
        let colour = Color::rgb(red, green, blue);
        text.draw(&mut self.fonts, &mut self.glyphs, colour, |x, y, width, height, colour| {
            for (right, down) in (0..width).flat_map(|right| (0..height).map(move |down| (right, down))) {
                let column = u32::try_from(MARGIN + x).ok().and_then(|x| x.checked_add(right));
                let row = u32::try_from(top + y).ok().and_then(|y| y.checked_add(down));
                let Some((column, row)) = column.zip(row) else { continue };
                if let Some(pixel) = picture.get_pixel_mut_checked(column, row) {
                    blend(pixel, colour);
                }
            }
        });
    }
}

/// Puts a colour over a pixel, as far as it is opaque.
fn blend(pixel: &mut Rgb<u8>, colour: Color) {
    let opacity = u16::from(colour.a());
    for (below, above) in pixel.0.iter_mut().zip([colour.r(), colour.g(), colour.b()]) {
        let mixed = (u16::from(above) * opacity + u16::from(*below) * (255 - opacity)) / 255;
        *below = u8::try_from(mixed).unwrap_or(u8::MAX);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn card(title: &str) -> Card {
        Card {
            title: title.to_owned(),
            site: "Desk".to_owned(),
            colour: Colour([0x0d, 0x56, 0x7a]),
            language: "en".to_owned(),
        }
    }

    /// Number of pixels in the upper part that are not the background.
    fn written(picture: &RgbImage) -> usize {
        let background = Rgb([0x0d, 0x56, 0x7a]);
        picture.enumerate_pixels().filter(|(_, y, pixel)| *y < 500 && **pixel != background).count()
    }

    #[test]
    fn a_card_without_fonts_is_a_coloured_picture() {
        let picture = draw(&card("Tea"), Database::new());
        assert_eq!(picture.dimensions(), (WIDTH, HEIGHT));
        assert_eq!(written(&picture), 0);
        let fonts = fonts::read(&[Path::new("/nowhere")]);
        assert!(fonts.is_empty());
    }

    #[test]
    fn a_title_is_drawn_with_the_fonts_of_the_machine_and_letters_without_a_font_are_not() {
        let fonts = fonts::all();
        if fonts.is_empty() {
            return;
        }
        let one = written(&draw(&card("Tea"), fonts.clone()));
        assert!(one > 500, "{one}");
        // Not one line of this fits; it is cut and stays within the picture.
        assert!(written(&draw(&card(&"Long words ".repeat(60)), fonts.clone())) > one);
        assert_eq!(written(&draw(&card("Tea \u{10FFFD}"), fonts)), 0, "no boxes");
    }

    #[test]
    fn a_card_is_a_png_file_of_its_size() {
        let bytes = png(&card("Tea")).unwrap();
        let picture = image::load_from_memory_with_format(&bytes, ImageFormat::Png).unwrap();
        assert_eq!((picture.width(), picture.height()), (WIDTH, HEIGHT));
        assert!(bytes.len() < 200_000, "{}", bytes.len());
    }
}
