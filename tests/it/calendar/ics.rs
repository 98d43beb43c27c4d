//! A small reader of iCalendar text and of the mails that carry it, independent of the program.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use test_support::ReceivedMail;

/// A property: its name, its parameters and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Property {
    name: String,
    parameters: Vec<(String, String)>,
    value: String,
}

/// A component, such as a calendar or an event.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Component {
    name: String,
    properties: Vec<Property>,
    components: Vec<Component>,
}

/// A calendar.
pub type Calendar = Component;

impl Component {
    /// Reads a calendar. Panics if the text is not well-formed.
    pub fn parse(text: &str) -> Self {
        assert!(text.ends_with("\r\n") && !text.replace("\r\n", "").contains(['\r', '\n']), "{text:?}");
        assert!(text.split("\r\n").all(|line| line.len() <= 75), "a line is too long: {text}");
        let unfolded = text.replace("\r\n ", "");
        let mut open: Vec<Self> = vec![Self::default()];
        for line in unfolded.split_terminator("\r\n") {
            let property = Property::parse(line);
            match property.name.as_str() {
                "BEGIN" => open.push(Self { name: property.value, ..Self::default() }),
                "END" => {
                    let closed = open.pop().unwrap();
                    assert_eq!(closed.name, property.value, "{text}");
                    open.last_mut().expect("an END without BEGIN").components.push(closed);
                }
                _ => open.last_mut().unwrap().properties.push(property),
            }
        }
        assert_eq!(open.len(), 1, "a BEGIN without END: {text}");
        let mut root = open.pop().unwrap();
        assert!(root.properties.is_empty() && root.components.len() == 1, "{text}");
        let calendar = root.components.remove(0);
        assert_eq!((calendar.name.as_str(), calendar.value("VERSION")), ("VCALENDAR", "2.0"));
        calendar
    }

    /// The components with this name.
    pub fn components(&self, name: &str) -> Vec<Self> {
        self.components.iter().filter(|one| one.name == name).cloned().collect()
    }

    fn property(&self, name: &str) -> Option<&Property> {
        let found: Vec<&Property> = self.properties.iter().filter(|one| one.name == name).collect();
        assert!(found.len() <= 1, "{name} occurs more than once: {self:?}");
        found.first().copied()
    }

    /// The value of a property as it is written; empty if there is none.
    pub fn value(&self, name: &str) -> &str {
        self.property(name).map_or("", |property| &property.value)
    }

    /// The value of a text property, unescaped.
    pub fn text(&self, name: &str) -> String {
        let mut text = String::new();
        let mut letters = self.value(name).chars();
        while let Some(letter) = letters.next() {
            match letter {
                '\\' => match letters.next().expect("something after a backslash") {
                    'n' | 'N' => text.push('\n'),
                    other => text.push(other),
                },
                ';' | ',' => panic!("{letter} is not escaped: {self:?}"),
                other => text.push(other),
            }
        }
        text
    }

    /// A parameter of a property.
    pub fn parameter(&self, name: &str, parameter: &str) -> Option<&str> {
        let parameters = &self.property(name)?.parameters;
        parameters.iter().find(|(known, _)| known == parameter).map(|(_, value)| value.as_str())
    }
}

impl Property {
    /// Splits `NAME;KEY="value":value` outside quotes.
    fn parse(line: &str) -> Self {
        let (mut parts, mut part, mut is_quoted) = (Vec::new(), String::new(), false);
        let mut letters = line.chars();
        let value = loop {
            match letters.next().unwrap_or_else(|| panic!("no value: {line}")) {
                '"' => is_quoted = !is_quoted,
                ':' if !is_quoted => break letters.as_str().to_owned(),
                ';' if !is_quoted => parts.push(std::mem::take(&mut part)),
                other => part.push(other),
            }
        };
        parts.push(part);
        let name = parts.remove(0);
        let parameter = |part: String| {
            let (key, value) = part.split_once('=').unwrap_or_else(|| panic!("a parameter: {line}"));
            (key.to_owned(), value.to_owned())
        };
        Self { name, parameters: parts.into_iter().map(parameter).collect(), value }
    }
}

/// Returns the head of the part of a mail with this content type, and its decoded text.
pub fn part(mail: &ReceivedMail, kind: &str) -> (String, String) {
    let (_, rest) = mail.text.split_once("boundary=\"").expect("several parts");
    let boundary = rest.split('"').next().unwrap();
    let delimiter = format!("\r\n--{boundary}");
    let parts = mail.text.split(&delimiter).skip(1);
    let of_kind = |part: &&str| part.contains(&format!("Content-Type: {kind}"));
    let found = parts.filter(of_kind).collect::<Vec<_>>();
    let [only] = found[..] else { panic!("one {kind} in {}", mail.text) };
    let (head, body) = only.trim_start_matches("\r\n").split_once("\r\n\r\n").expect("a head");
    (head.to_owned(), decoded(head, body))
}

/// The text of a mail that has one part.
pub fn only_part(mail: &ReceivedMail) -> String {
    let (head, body) = mail.text.split_once("\r\n\r\n").expect("a head");
    decoded(head, body)
}

fn decoded(head: &str, body: &str) -> String {
    if head.contains("quoted-printable") {
        unquoted(body)
    } else if head.contains("base64") {
        String::from_utf8(BASE64_STANDARD.decode(body.replace("\r\n", "")).unwrap()).unwrap()
    } else {
        body.to_owned()
    }
}

/// Decodes quoted-printable text.
fn unquoted(text: &str) -> String {
    let text = text.replace("=\r\n", "");
    let mut parts = text.split('=');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let (code, rest) = part.split_at(2);
        bytes.push(u8::from_str_radix(code, 16).expect("two digits"));
        bytes.extend(rest.bytes());
    }
    String::from_utf8(bytes).expect("UTF-8")
}
