//! Sanitises HTML within limits of time and size.

mod split;
#[cfg(test)]
mod tests;

pub use split::TextSplitter;

use super::{ast, heading_ids, limited_writer::Budget, rewrite::rewrite_escaped};
use ammonia::{Builder, UrlRelative};
use domain::error::TextLimit;
use split::is_searched;
use std::{
    borrow::Cow,
    cell::RefCell,
    io::{self, Read, Write},
    sync::LazyLock,
};

/// Number of pieces that the serialiser writes between two checks of the time.
const PIECES_BETWEEN_CHECKS: u32 = 256;
/// Maximum number of characters of a value at which the serialiser searches its rest.
const MAX_SEARCHES: usize = 64;
/// Begin of what stands for a long value while the document is written.
const LONG_VALUE: &str = "long-value-";

thread_local! {
    /// Escaped values of attributes that the serialiser would write in quadratic time, see `split`.
    static LONG_VALUES: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Returns normalised HTML without unsafe elements and attributes, or the limit that it exceeds.
pub fn clean(html: &str, max_bytes: usize, budget: &Budget) -> Result<String, (TextLimit, usize)> {
    LONG_VALUES.set(Vec::new());
    let mut reader = BudgetReader { rest: html.as_bytes(), budget };
    let document = SANITISER.clean_from_reader(&mut reader).map_err(|_| budget.exceeded())?;
    budget.check()?;
    let mut writer = BudgetWriter { html: Vec::new(), max_bytes, pieces: 0, budget, exceeded: None };
    let written = document.write_to(&mut writer);
    let long = LONG_VALUES.take();
    if let (Err(_), exceeded) = (written, writer.exceeded) {
        return Err(exceeded.unwrap_or_else(|| budget.exceeded()));
    }
    // html5ever reads and writes UTF-8.
    let html = String::from_utf8(writer.html).unwrap_or_default();
    Ok(if long.is_empty() { html } else { with_long_values(&html, &long) })
}

static SANITISER: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut builder = rules();
    builder.attribute_filter(|element, attribute, value| {
        Some(short(attribute, keep(element, attribute, value)?))
    });
    builder
});

/// Returns the allowed elements, attributes and addresses.
fn rules() -> Builder<'static> {
    let mut builder = Builder::default();
    builder
        .url_schemes(["http", "https", "mailto"].into())
        .url_relative(UrlRelative::PassThrough)
        .link_rel(Some("nofollow noopener"))
        .rm_tags(["h1"])
        .add_tags(["input", "section", "tfoot"])
        .add_generic_attributes(["dir"])
        .add_tag_attributes("input", ["checked", "type", "aria-label"])
        .set_tag_attribute_value("input", "type", "checkbox")
        .set_tag_attribute_value("input", "disabled", "")
        .add_tag_attributes("code", ["class"])
        .add_tag_attributes("pre", ["tabindex"])
        .add_tag_attributes("div", ["tabindex"])
        .add_tag_attributes("a", ["id"])
        .add_tag_attributes("li", ["id"])
        .add_tag_attributes("h2", ["id"])
        .add_tag_attributes("h3", ["id"])
        .add_tag_attributes("h4", ["id"])
        .add_tag_attributes("h5", ["id"])
        .add_tag_attributes("h6", ["id"])
        .add_allowed_classes("p", ast::ALERT_CLASSES)
        .add_allowed_classes("p", [ast::BARE_LINK_CLASS])
        .add_allowed_classes("section", ["footnotes"])
        .add_allowed_classes("sup", ["footnote-ref"])
        .add_allowed_classes("a", ["footnote-backref"])
        .add_allowed_classes("div", ["table-scroll"]);
    builder
}

/// Keeps only attribute values that `normalize` writes.
fn keep<'v>(element: &str, attribute: &str, value: &'v str) -> Option<&'v str> {
    let is_allowed = match (element, attribute) {
        ("code", "class") => value.starts_with("language-") && !value.contains(' '),
        (_, "id") => heading_ids::is_valid_id(value),
        (_, "tabindex") => value == "0",
        (_, "dir") => matches!(value, "auto" | "ltr" | "rtl"),
        _ => true,
    };
    is_allowed.then_some(value)
}

/// Returns what is written for a value: a long one is put back by [`with_long_values`]. The sanitiser
/// has checked its address before, and checks classes afterwards.
fn short<'v>(attribute: &str, value: &'v str) -> Cow<'v, str> {
    let is_short = || value.bytes().filter(|byte| is_searched(*byte)).count() <= MAX_SEARCHES;
    // No text can contain a value that stands for another one.
    if attribute == "class" || (!value.starts_with(LONG_VALUE) && is_short()) {
        return value.into();
    }
    LONG_VALUES.with_borrow_mut(|long| {
        long.push(escaped(value));
        format!("{LONG_VALUE}{}", long.len() - 1).into()
    })
}

/// Puts the long values in their places.
fn with_long_values(html: &str, long: &[String]) -> String {
    rewrite_escaped(html, |_, _, value| {
        long.get(value.strip_prefix(LONG_VALUE)?.parse::<usize>().ok()?).cloned()
    })
}

/// Escapes the value of an attribute as html5ever does.
fn escaped(value: &str) -> String {
    let mut html = String::with_capacity(value.len() + value.len() / 2);
    for letter in value.chars() {
        match letter {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\u{a0}' => html.push_str("&nbsp;"),
            other => html.push(other),
        }
    }
    html
}

/// Reads HTML until the time is over. The parser reads 4 KiB at once.
struct BudgetReader<'b> {
    rest: &'b [u8],
    budget: &'b Budget,
}

impl Read for BudgetReader<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        self.budget.check().map_err(|_| io::ErrorKind::TimedOut)?;
        self.rest.read(to)
    }
}

/// Collects HTML until the time is over or the limit is reached.
struct BudgetWriter<'b> {
    html: Vec<u8>,
    max_bytes: usize,
    pieces: u32,
    budget: &'b Budget,
    exceeded: Option<(TextLimit, usize)>,
}

impl BudgetWriter<'_> {
    fn check(&mut self, more: usize) -> Result<(), (TextLimit, usize)> {
        if self.html.len() + more > self.max_bytes {
            return Err((TextLimit::Bytes, self.max_bytes));
        }
        self.pieces += 1;
        if self.pieces >= PIECES_BETWEEN_CHECKS {
            self.pieces = 0;
            self.budget.check()?;
        }
        Ok(())
    }
}

impl Write for BudgetWriter<'_> {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        if let Err(exceeded) = self.check(piece.len()) {
            self.exceeded = Some(exceeded);
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.html.extend_from_slice(piece);
        Ok(piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
