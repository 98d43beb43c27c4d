//! Divides long texts into short text nodes, so that html5ever writes them in linear time.
//!
//! Problem: at each `&` and each byte 0xC2 (`©`, `«`, `°`, a no-break space), the serialiser of
//! html5ever 0.40 searches the whole rest of the text node for `<` and `>`. A text of 60,000 `&`
//! takes minutes. An empty comment, which the sanitiser removes, ends a text node: the text stays
//! the same. Attributes cannot be divided; see `clean`. Delete this when html5ever searches for all
//! five characters in one pass (docs/adr/0013-sanitiser-in-linear-time.md).

use std::fmt;

/// Maximum number of characters of one text node at which the serialiser searches the rest.
const MAX_SEARCHES: usize = 64;
/// What ends a text node.
const END_OF_NODE: &str = "<!---->";

/// Writes texts as HTML, divided into nodes.
#[derive(Debug, Default)]
pub struct TextSplitter {
    /// Searches in the current node, at most.
    searches: usize,
}

/// Whether the serialiser searches the rest of a text at this byte. A reference that begins with `&`
/// may stand for one such character.
pub fn is_searched(byte: u8) -> bool {
    matches!(byte, b'&' | 0xC2)
}

impl TextSplitter {
    /// Writes a text whose references stay as they are.
    ///
    /// A node ends only before `&` or a character of several bytes: never within a reference.
    pub fn write(&mut self, out: &mut impl fmt::Write, text: &str) -> fmt::Result {
        let mut written = 0;
        for (at, byte) in text.bytes().enumerate() {
            let is_search = is_searched(byte);
            if is_search && self.searches >= MAX_SEARCHES {
                out.write_str(text.get(written..at).unwrap_or_default())?;
                out.write_str(END_OF_NODE)?;
                (written, self.searches) = (at, 0);
            }
            self.searches += usize::from(is_search);
            if byte == b'<' {
                out.write_str(text.get(written..at).unwrap_or_default())?;
                out.write_str("&lt;")?;
                written = at + 1;
            }
        }
        out.write_str(text.get(written..).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(texts: &[&str]) -> String {
        let (mut splitter, mut out) = (TextSplitter::default(), String::new());
        texts.iter().for_each(|text| splitter.write(&mut out, text).unwrap());
        out
    }

    #[test]
    fn a_node_has_at_most_64_searched_characters() {
        for unit in ["&", "&amp;", "©", "\u{a0}x", "字°", "&x;a", "<&"] {
            let html = split(&[&unit.repeat(200), &unit.repeat(200)]);
            let nodes: Vec<&str> = html.split(END_OF_NODE).collect();
            assert_eq!(nodes.len(), 400_usize.div_ceil(MAX_SEARCHES), "{unit}");
            for node in &nodes {
                let entities = node.matches("&lt;").count();
                let searches = node.bytes().filter(|byte| is_searched(*byte)).count() - entities;
                assert!(searches <= MAX_SEARCHES, "{unit}: {searches}");
            }
            assert_eq!(nodes.concat(), unit.replace('<', "&lt;").repeat(400), "{unit}");
        }
    }

    #[test]
    fn an_ordinary_text_is_one_node() {
        let text = "Tea & cake — 20 °C, “fine”. ".repeat(16) + &"字 a < b > c".repeat(1_000);
        assert_eq!(split(&[&text]), text.replace('<', "&lt;"));
    }
}
