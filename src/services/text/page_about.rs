//! What a web page says about itself in its head: title, description and name of the site. Pages are not
//! trusted: each is read once, up to its body.

use super::render::tags::{Tag, Token, Tokenizer};
use domain::text::without_forbidden_chars;
use encoding_rs::{Encoding, UTF_8};
use entities::ENTITIES;
use std::{borrow::Cow, collections::HashMap, sync::LazyLock};

/// Maximum length of a title, characters.
const MAX_TITLE_CHARS: usize = 200;
/// Maximum length of a description, characters.
const MAX_DESCRIPTION_CHARS: usize = 300;
/// Maximum length of the name of a site, characters.
const MAX_SITE_CHARS: usize = 60;
/// Maximum length of a text that is read, bytes.
const MAX_TEXT_BYTES: usize = 4_000;
/// Number of bytes in which a page names its character set.
const MAX_CHARSET_BYTES: usize = 1_024;
/// Maximum length of an entity, bytes.
const MAX_ENTITY_BYTES: usize = 32;
/// Elements whose content is no markup of the page.
const SKIPPED: [&str; 5] = ["script", "style", "template", "noscript", "svg"];

/// Letters of the entities that end with a semicolon, by their names.
static LETTERS: LazyLock<HashMap<&'static str, &'static str>> = LazyLock::new(|| {
    let name = |entity: &'static str| entity.strip_prefix('&')?.strip_suffix(';');
    ENTITIES.iter().filter_map(|entry| Some((name(entry.entity)?, entry.characters))).collect()
});

/// What a page says about itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageAbout {
    /// Title.
    pub title: String,
    /// Description; empty: none.
    pub description: String,
    /// Name of its site; empty: none.
    pub site: String,
}

/// Texts of a head, as they are written.
#[derive(Default)]
struct Head<'h> {
    title: Option<&'h str>,
    og_title: Option<&'h str>,
    description: Option<&'h str>,
    og_description: Option<&'h str>,
    site: Option<&'h str>,
}

/// Reads the begin of a page. `None`: it is no HTML, has no title, or its characters cannot be read.
#[must_use]
pub fn read(content_type: &str, bytes: &[u8]) -> Option<PageAbout> {
    let kind = content_type.split(';').next().unwrap_or_default().trim();
    if !["text/html", "application/xhtml+xml"].iter().any(|html| kind.eq_ignore_ascii_case(html)) {
        return None;
    }
    let html = decoded(content_type, bytes);
    let head = head(&html);
    let first = |texts: [Option<&str>; 2], max| {
        texts.into_iter().flatten().map(|text| plain(text, max)).find(|text| !text.is_empty())
    };
    let about = PageAbout {
        title: first([head.og_title, head.title], MAX_TITLE_CHARS)?,
        description: first([head.og_description, head.description], MAX_DESCRIPTION_CHARS)
            .unwrap_or_default(),
        site: first([head.site, None], MAX_SITE_CHARS).unwrap_or_default(),
    };
    // Characters of another set: the link says more.
    let is_readable =
        [&about.title, &about.description, &about.site].iter().all(|text| !text.contains('\u{fffd}'));
    is_readable.then_some(about)
}

/// Decodes a page by its byte order mark, its type, or what its head names; else as UTF-8.
fn decoded<'b>(content_type: &str, bytes: &'b [u8]) -> Cow<'b, str> {
    let begin = bytes.get(..MAX_CHARSET_BYTES).unwrap_or(bytes);
    let named = charset(content_type).or_else(|| charset(&String::from_utf8_lossy(begin)));
    named.unwrap_or(UTF_8).decode(bytes).0
}

fn charset(text: &str) -> Option<&'static Encoding> {
    let text = text.to_ascii_lowercase();
    let (_, after) = text.split_once("charset")?;
    let name = after.trim_start().strip_prefix('=')?.trim_start().trim_start_matches(['"', '\'']);
    let end = name.find(|letter: char| !letter.is_ascii_alphanumeric() && !"-_:.".contains(letter));
    Encoding::for_label(name.get(..end.unwrap_or(name.len()))?.as_bytes())
}

fn head(html: &str) -> Head<'_> {
    let (mut head, mut tokens) = (Head::default(), Tokenizer::of(html));
    while let Some(token) = tokens.next() {
        let Token::Open(tag) = token else { continue };
        match tag.name.as_str() {
            "body" => break,
            "meta" => head.read_meta(&tag),
            "title" => {
                let before = tokens.rest();
                tokens.skip_element("title");
                let element = before.get(..before.len() - tokens.rest().len()).unwrap_or_default();
                let end = element.rfind("</").unwrap_or(element.len());
                head.title = head.title.or(element.get(..end));
            }
            name if SKIPPED.contains(&name) => tokens.skip_element(name),
            _ => {}
        }
    }
    head
}

impl<'h> Head<'h> {
    /// Reads an element `meta`. The first one of a name counts.
    fn read_meta(&mut self, tag: &Tag<'h>) {
        let (Some(name), Some(content)) =
            (tag.get("property").or_else(|| tag.get("name")), tag.get("content"))
        else {
            return;
        };
        let text = match name.trim().to_ascii_lowercase().as_str() {
            "og:title" => &mut self.og_title,
            "og:description" => &mut self.og_description,
            "description" => &mut self.description,
            "og:site_name" => &mut self.site,
            _ => return,
        };
        text.get_or_insert(content);
    }
}

/// Returns a text on one line, without entities and characters that change how others are shown.
fn plain(written: &str, max_chars: usize) -> String {
    let written = written.get(..written.floor_char_boundary(MAX_TEXT_BYTES)).unwrap_or_default();
    let line = with_letters(written).replace(char::is_control, " ");
    let shown = without_forbidden_chars(&line);
    let text = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(max_chars) {
        None => text,
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default().trim_end()),
    }
}

/// Replaces entities by their letters.
fn with_letters(written: &str) -> String {
    let mut text = String::with_capacity(written.len());
    let mut rest = written;
    while let Some((before, after)) = rest.split_once('&') {
        text.push_str(before);
        let name = after.get(..after.floor_char_boundary(MAX_ENTITY_BYTES)).unwrap_or_default();
        let found = name.split_once(';').and_then(|(name, _)| Some((letters(name)?, name.len() + 1)));
        match found {
            Some((letters, length)) => {
                text.push_str(&letters);
                rest = after.get(length..).unwrap_or_default();
            }
            None => {
                text.push('&');
                rest = after;
            }
        }
    }
    text.push_str(rest);
    text
}

/// Returns the letters of an entity, by its name or number.
fn letters(name: &str) -> Option<Cow<'static, str>> {
    let Some(number) = name.strip_prefix('#') else {
        return LETTERS.get(name).map(|letters| (*letters).into());
    };
    let code = match number.strip_prefix(['x', 'X']) {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => number.parse(),
    };
    let letter = code.ok().and_then(char::from_u32).filter(|letter| *letter != '\0')?;
    Some(letter.to_string().into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::linear::assert_linear;

    fn title(html: &str) -> Option<String> {
        read("text/html; charset=utf-8", html.as_bytes()).map(|about| about.title)
    }

    #[test]
    fn a_page_is_described_by_its_head() {
        let html = "<!doctype html><HTML><head><title>Plain</title><meta name=description content='A &amp; B'>\
            <meta property=\"og:title\" content=\"Shown &mdash; &#x4e2d;&#25991;\"><meta property='og:site_name' content='S'>\
            <meta property=\"og:title\" content=\"Second\"></head><body><meta property=\"og:description\" content=\"C\">";
        let about = read("Text/HTML", html.as_bytes()).unwrap();
        assert_eq!(
            (about.title.as_str(), about.description.as_str(), about.site.as_str()),
            ("Shown — 中文", "A & B", "S")
        );
        assert_eq!(title("<title>\n A\tb \n</title>").as_deref(), Some("A b"));
        assert_eq!(title("<title></title><title>B</title>"), None);
    }

    #[test]
    fn what_has_no_title_or_is_no_page_has_no_card() {
        for html in
            ["", "text", "<title> </title>", "<body><title>A</title>", "<title>", "<!-- <title>A</title>"]
        {
            assert_eq!(title(html), None, "{html}");
        }
        for kind in ["", "image/png", "text/plain", "application/json"] {
            assert_eq!(read(kind, b"<title>A</title>"), None, "{kind}");
        }
    }

    #[test]
    fn scripts_in_a_head_are_no_markup_and_titles_are_text() {
        let html = "<script>'<title>A</title><meta property=og:title content=B>'</script><svg><title>C</title></svg><title>D</title>";
        assert_eq!(title(html).as_deref(), Some("D"));
        assert_eq!(
            title("<title><script>alert(1)</script></title>").as_deref(),
            Some("<script>alert(1)</script>")
        );
    }

    #[test]
    fn controls_of_direction_and_long_texts_are_cut() {
        assert_eq!(
            title("<title>a\u{202e}b\u{2066}c&#x202e;d\u{0}e\u{200b}</title>").as_deref(),
            Some("abcd e")
        );
        // What shows nothing is no title.
        assert_eq!(title("<title>\u{3164}\u{200d}&#x2800;\u{115f}</title>"), None);
        assert_eq!(
            title("<title>\u{1f469}\u{200d}\u{1f680}</title>").as_deref(),
            Some("\u{1f469}\u{200d}\u{1f680}")
        );
        let long = title(&format!("<title>{}</title>", "中".repeat(10_000))).unwrap();
        assert_eq!((long.chars().count(), long.ends_with('…')), (MAX_TITLE_CHARS + 1, true));
        assert_eq!(
            title("<title>&#0;&#xd800;&nosuch;&lt</title>").as_deref(),
            Some("&#0;&#xd800;&nosuch;&lt")
        );
    }

    #[test]
    fn the_character_set_is_that_of_the_type_or_the_head() {
        let (gbk, _, _) = encoding_rs::GBK.encode("<meta charset=\"gbk\"><title>中文</title>");
        assert_eq!(read("text/html", &gbk).unwrap().title, "中文");
        assert_eq!(read("text/html; charset=GBK", &gbk).unwrap().title, "中文");
        assert_eq!(read("text/html; charset=utf-8", &gbk), None, "the wrong set");
        assert_eq!(read("text/html; charset=none", "<title>é</title>".as_bytes()).unwrap().title, "é");
    }

    #[test]
    fn hostile_pages_are_read_once() {
        for part in [
            "<",
            "<title>",
            "<!--",
            "<meta property=og:title content='",
            "<script>",
            "&amp;",
            "</",
            "<a b=\"c\" ",
        ] {
            let text = |bytes: usize| part.repeat(bytes / part.len());
            assert_linear(part, (50_000, text), |html| drop(title(html)));
        }
    }
}
