//! Markdown to HTML that is safe to show, within limits of time and memory: the one way from a text to what readers see.
//!
//! 1. `scan`: refuses what the parser would take too long over.
//! 2. comrak parses; `tree` adjusts.
//! 3. comrak writes HTML into a `writer` that stops at a limit.
//! 4. `nest` makes the HTML regular, so that 5. has nothing to repair.
//! 5. `clean` leaves only what is safe.

#[cfg(test)]
mod bounds;
mod clean;
mod excerpt;
mod names;
mod nest;
mod place;
mod pool;
mod scan;
pub mod script;
mod tags;
#[cfg(test)]
mod tests;
mod tree;
mod writer;

pub use excerpt::excerpt;
pub use names::OWN;
pub use place::{absolute, prefixed, without_title};
pub use pool::{POOL, Pool, with_client};
pub use writer::Budget;

use comrak::{Arena, Options, format_html_with_plugins, options::Plugins, parse_document};
use domain::refusal::{Problem, TextLimit};
use std::{borrow::Cow, sync::LazyLock, time::Duration};

/// The version of the rendering. A higher one renders every public text again.
pub const VERSION: i32 = 1;
/// Most bytes of HTML.
const BYTES: usize = 2 * 1024 * 1024;
/// How long one text may take.
pub const TIME: Duration = Duration::from_secs(10);

/// Sanitised HTML of a text: no scripts, no styles, links that lead only to `http`, `https` and `mailto`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Html(String);

impl Html {
    /// The HTML.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The HTML.
    #[must_use]
    pub fn into_string(self) -> String {
        self.0
    }
}

/// The limit that a text exceeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooComplex {
    /// Which one.
    pub limit: TextLimit,
    /// Its value.
    pub max: u32,
}

impl From<(TextLimit, usize)> for TooComplex {
    fn from((limit, max): (TextLimit, usize)) -> Self {
        Self { limit, max: u32::try_from(max).unwrap_or(u32::MAX) }
    }
}

impl From<TooComplex> for Problem {
    fn from(TooComplex { limit, max }: TooComplex) -> Self {
        Self::TooComplex { limit, max }
    }
}

/// Whether a text can be parsed in time: the first, cheap step of [`render`].
pub fn check(markdown: &str) -> Result<(), TooComplex> {
    Ok(scan::check(markdown)?)
}

/// Renders a text. An error names the limit that it exceeds.
pub fn render(markdown: &str, budget: &Budget) -> Result<Html, TooComplex> {
    let markdown = plain_line_ends(markdown);
    scan::check(&markdown)?;
    budget.check()?;
    let raw = write(&markdown, budget)?;
    let has_directions = markdown.chars().any(script::is_right_to_left);
    let regular = nest::regular(&raw, 2 * BYTES, budget, has_directions)?;
    drop(raw);
    budget.check()?;
    let html = clean::clean(&regular);
    if html.len() > 2 * BYTES {
        return Err((TextLimit::Bytes, BYTES).into());
    }
    Ok(Html(html))
}

fn plain_line_ends(text: &str) -> Cow<'_, str> {
    if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n").into() } else { text.into() }
}

/// Parses and writes; the parser's memory is given back before the next step.
fn write(markdown: &str, budget: &Budget) -> Result<String, TooComplex> {
    let arena = Arena::new();
    let root = parse_document(&arena, markdown, &OPTIONS);
    budget.check()?;
    tree::adjust(&arena, root);
    let headings = names::Headings::new(tree::footnotes(root));
    let mut plugins = Plugins::default();
    plugins.render.heading_adapter = Some(&headings);
    let mut out = writer::Writer::new(BYTES, budget);
    // An error of writing is the limit that the writer knows.
    let _ = format_html_with_plugins(root, &OPTIONS, &mut out, &plugins);
    Ok(out.finish()?)
}

static OPTIONS: LazyLock<Options<'static>> = LazyLock::new(|| {
    let mut options = Options::default();
    options.extension.strikethrough = true;
    options.extension.table = true;
    options.extension.autolink = true;
    options.extension.tasklist = true;
    options.extension.footnotes = true;
    options.extension.cjk_friendly_emphasis = true;
    // Raw HTML may pass here because the sanitiser comes after it.
    options.render.r#unsafe = true;
    options
});
