//! Tokenizer for HTML: tags and texts, in one pass. Everything that is not a tag is text.

/// A token of HTML.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Token<'h> {
    /// Text with its entities as written.
    Text(&'h str),
    /// `<name …>`.
    Open(Tag<'h>),
    /// `</name>`, in lower case.
    Close(String),
}

/// A tag that opens an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag<'h> {
    /// Name in lower case.
    pub name: String,
    /// Unique names in lower case, and values with their entities as written.
    pub attributes: Vec<(String, &'h str)>,
}

impl<'h> Tag<'h> {
    /// Returns the value of an attribute.
    pub fn get(&self, name: &str) -> Option<&'h str> {
        self.attributes.iter().find(|(own, _)| own == name).map(|(_, value)| *value)
    }
}

/// Maximum number of attributes read of a tag.
const MAX_ATTRIBUTES: usize = 32;

/// Reads HTML token by token. Comments and declarations are skipped.
pub struct Tokenizer<'h> {
    html: &'h str,
    at: usize,
}

impl<'h> Tokenizer<'h> {
    /// Returns a tokenizer at the beginning of `html`.
    pub fn of(html: &'h str) -> Self {
        Self { html, at: 0 }
    }

    /// Returns the unread rest.
    pub fn rest(&self) -> &'h str {
        self.html.get(self.at..).unwrap_or_default()
    }

    /// Skips everything up to the end tag of `name`, or to the end.
    pub fn skip_element(&mut self, name: &str) {
        let mut rest = self.rest();
        while let Some(place) = rest.find("</") {
            rest = rest.get(place + 2..).unwrap_or_default();
            if rest.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name)) {
                break;
            }
            if rest.is_empty() {
                break;
            }
        }
        let is_found = rest.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
        self.at = match rest.find('>') {
            Some(end) if is_found => self.html.len() - rest.len() + end + 1,
            _ => self.html.len(),
        };
    }

    /// Advances by `bytes` and returns them.
    fn advance(&mut self, bytes: usize) -> &'h str {
        let piece = self.rest().get(..bytes).unwrap_or_default();
        self.at = if piece.is_empty() { self.html.len() } else { self.at + bytes };
        piece
    }

    /// Advances past the first `end`, or to the end of the HTML.
    fn advance_past(&mut self, end: &str) {
        self.at = self.rest().find(end).map_or(self.html.len(), |place| self.at + place + end.len());
    }
}

impl<'h> Iterator for Tokenizer<'h> {
    type Item = Token<'h>;

    fn next(&mut self) -> Option<Token<'h>> {
        loop {
            let rest = self.rest();
            let bytes = rest.as_bytes();
            match (bytes.first()?, bytes.get(1)) {
                (b'<', Some(b'!')) if rest.starts_with("<!--") => {
                    self.at += 2;
                    self.advance_past("-->");
                }
                (b'<', Some(b'!' | b'?')) => self.advance_past(">"),
                (b'<', Some(b'/')) if bytes.get(2).is_some_and(u8::is_ascii_alphabetic) => {
                    let name = name_of(rest.get(2..).unwrap_or_default());
                    self.advance_past(">");
                    return Some(Token::Close(name.to_ascii_lowercase()));
                }
                (b'<', Some(letter)) if letter.is_ascii_alphabetic() => match tag(rest) {
                    Some((tag, length)) => {
                        self.advance(length);
                        return Some(Token::Open(tag));
                    }
                    // A tag without an end consumes the rest, as in browsers.
                    None => self.at = self.html.len(),
                },
                _ => {
                    let length = rest.get(1..).and_then(|rest| rest.find('<')).map(|next| next + 1);
                    // The first character may have several bytes.
                    let length = length.or_else(|| text_length(rest)).unwrap_or(rest.len());
                    return Some(Token::Text(self.advance(length)));
                }
            }
        }
    }
}

/// Returns the number of bytes before the next `<` for a text that begins with a multi-byte
/// character.
fn text_length(rest: &str) -> Option<usize> {
    let first = rest.chars().next()?.len_utf8();
    rest.get(first..)?.find('<').map(|next| next + first)
}

fn name_of(rest: &str) -> &str {
    let end = rest.find(|letter: char| letter.is_ascii_whitespace() || matches!(letter, '/' | '>'));
    rest.get(..end.unwrap_or(rest.len())).unwrap_or_default()
}

/// Parses the tag at the beginning. Returns it and its length in bytes.
fn tag(html: &str) -> Option<(Tag<'_>, usize)> {
    let name = name_of(html.get(1..)?);
    let mut at = 1 + name.len();
    let mut attributes: Vec<(String, &str)> = Vec::new();
    loop {
        let rest = html.get(at..)?;
        let blank = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '/').len();
        at += blank;
        let rest = html.get(at..)?;
        if rest.starts_with('>') {
            return Some((Tag { name: name.to_ascii_lowercase(), attributes }, at + 1));
        }
        let (attribute, value, length) = attribute(rest)?;
        if attributes.len() < MAX_ATTRIBUTES {
            let attribute = attribute.to_ascii_lowercase();
            if attributes.iter().all(|(known, _)| *known != attribute) {
                attributes.push((attribute, value));
            }
        }
        at += length;
    }
}

/// Parses the attribute at the beginning. Returns name, value and length in bytes; `None`: it is
/// incomplete.
fn attribute(rest: &str) -> Option<(&str, &str, usize)> {
    let is_end = |letter: char| letter.is_ascii_whitespace() || matches!(letter, '/' | '>' | '=');
    // A name may begin with any character, even with an equals sign.
    let first = rest.chars().next()?.len_utf8();
    let name_end = first + rest.get(first..)?.find(is_end)?;
    let name = rest.get(..name_end)?;
    let after = rest.get(name_end..)?;
    let Some(value) = after.trim_ascii_start().strip_prefix('=') else {
        return Some((name, "", name_end));
    };
    let value = value.trim_ascii_start();
    let start = rest.len() - value.len();
    match value.chars().next()? {
        quote @ ('"' | '\'') => {
            let value = value.get(1..)?;
            let end = value.find(quote)?;
            Some((name, value.get(..end)?, start + end + 2))
        }
        _ => {
            let end = value.find(|letter: char| letter.is_ascii_whitespace() || letter == '>')?;
            Some((name, value.get(..end)?, start + end))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_texts_and_comments_are_distinguished() {
        let html = "字 < b<!-- <i> -->x<A HREF='a>b' c d=e/f>y</a ><?p?><br/>1<2<";
        let seen: Vec<String> = Tokenizer::of(html)
            .map(|piece| match piece {
                Token::Text(text) => text.to_owned(),
                Token::Open(tag) => format!("{} {:?}", tag.name, tag.attributes),
                Token::Close(name) => format!("/{name}"),
            })
            .collect();
        let link = r#"a [("href", "a>b"), ("c", ""), ("d", "e/f")]"#;
        assert_eq!(seen, ["字 ", "< b", "x", link, "y", "/a", "br []", "1", "<2", "<"]);
    }

    #[test]
    fn a_tag_without_end_consumes_the_rest() {
        assert_eq!(Tokenizer::of("a<b c='").count(), 1);
        assert_eq!(Tokenizer::of("<!-- x").count(), 0);
    }
}
