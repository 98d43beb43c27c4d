//! Renders Markdown to safe HTML within limits of time and memory. All texts are rendered here.
//!
//! 1. `precheck` refuses texts that would take too long to parse.
//! 2. comrak parses; `ast` adjusts the result.
//! 3. comrak writes HTML into a `limited_writer`.
//! 4. `normalize` makes the HTML well-formed, so that step 5 has nothing to repair.
//! 5. `clean` removes everything unsafe, within the time of the budget.
//! 6. `pictures` adds sizes and smaller versions to pictures of the media library. Addresses of files
//!    with a host are resolved afterwards, with the library.

mod ast;
#[cfg(test)]
mod bounds;
mod clean;
mod excerpt;
mod heading_ids;
mod limited_writer;
mod normalize;
mod pictures;
mod pool;
mod precheck;
mod rewrite;
pub mod script;
pub mod tags;
#[cfg(test)]
mod tests;

pub use ast::BARE_LINK_CLASS;
pub use excerpt::excerpt;
pub use heading_ids::PAGE_ID_PREFIX;
pub use limited_writer::Budget;
pub use pictures::attributes as picture_attributes;
pub use pool::{POOL, Pool, Share, with_client};
pub use rewrite::{
    absolute_urls, decode_entities, media_with_query, prefix_ids, with_media_query, without_title,
};

use comrak::{Arena, Options, format_html_with_plugins, options::Plugins, parse_document};
use domain::error::{TextLimit, ValidationError};
use std::{
    borrow::Cow,
    collections::{BTreeSet, HashMap},
    sync::LazyLock,
    time::Duration,
};

/// Version of the renderer. After an increase, every public text is rendered again.
pub const VERSION: i32 = 5;
/// Maximum size of the HTML, bytes.
const MAX_HTML_BYTES: usize = 2 * 1024 * 1024;
/// Timeout for rendering a text.
pub const RENDER_TIMEOUT: Duration = Duration::from_secs(10);

/// Sanitised HTML of a text: no scripts, no styles, only links to `http`, `https` and `mailto`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Html {
    text: String,
    /// Hashes of the addresses that only the media library can resolve.
    unresolved: BTreeSet<String>,
}

impl Html {
    /// The HTML.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The HTML.
    #[must_use]
    pub fn into_string(self) -> String {
        self.text
    }

    /// Hashes of files whose addresses have a host or name a smaller version: only the media library
    /// knows whether they are its own.
    #[must_use]
    pub const fn unresolved(&self) -> &BTreeSet<String> {
        &self.unresolved
    }

    /// Returns the HTML with the paths of these files of the library, by their hashes. Other addresses
    /// stay.
    #[must_use]
    pub fn resolved(self, files: &HashMap<String, String>) -> Self {
        let resolved = (!files.is_empty()).then(|| pictures::resolve(&self.text, files));
        let resolved = resolved.filter(|text| text.len() <= 2 * MAX_HTML_BYTES);
        Self { text: resolved.unwrap_or(self.text), unresolved: BTreeSet::new() }
    }
}

/// The limit that a text exceeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooComplex {
    /// The limit.
    pub limit: TextLimit,
    /// Its value.
    pub max: u32,
}

impl From<(TextLimit, usize)> for TooComplex {
    fn from((limit, max): (TextLimit, usize)) -> Self {
        Self { limit, max: u32::try_from(max).unwrap_or(u32::MAX) }
    }
}

impl From<TooComplex> for ValidationError {
    fn from(TooComplex { limit, max }: TooComplex) -> Self {
        Self::TooComplex { limit, max }
    }
}

/// Checks whether a text can be parsed in time: the first, cheap step of [`render`].
pub fn check(markdown: &str) -> Result<(), TooComplex> {
    Ok(precheck::check(markdown)?)
}

/// Renders a text. An error names the limit that it exceeds.
pub fn render(markdown: &str, budget: &Budget) -> Result<Html, TooComplex> {
    let markdown = plain_line_ends(markdown);
    precheck::check(&markdown)?;
    budget.check()?;
    let raw = write(&markdown, budget)?;
    let has_rtl = markdown.chars().any(script::is_right_to_left);
    let normalized = normalize::normalize(&raw, 2 * MAX_HTML_BYTES, budget, has_rtl)?;
    drop(raw);
    budget.check()?;
    let html = pictures::complete(clean::clean(&normalized, 2 * MAX_HTML_BYTES, budget)?);
    budget.check()?;
    if html.len() > 2 * MAX_HTML_BYTES {
        return Err((TextLimit::Bytes, MAX_HTML_BYTES).into());
    }
    let unresolved = pictures::unresolved(&html);
    Ok(Html { text: html, unresolved })
}

fn plain_line_ends(text: &str) -> Cow<'_, str> {
    if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n").into() } else { text.into() }
}

/// Parses and writes. The parser's memory is freed before the next step.
fn write(markdown: &str, budget: &Budget) -> Result<String, TooComplex> {
    let arena = Arena::new();
    let root = parse_document(&arena, markdown, &OPTIONS);
    budget.check()?;
    ast::adjust(&arena, root);
    let headings = heading_ids::HeadingIds::new(ast::footnote_ids(root));
    let mut plugins = Plugins::default();
    plugins.render.heading_adapter = Some(&headings);
    let mut out = limited_writer::LimitedWriter::new(MAX_HTML_BYTES, budget);
    // A write error means that a limit was exceeded; `finish` returns it.
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
    options.extension.alerts = true;
    options.extension.cjk_friendly_emphasis = true;
    // Raw HTML is allowed here because it is sanitised afterwards.
    options.render.r#unsafe = true;
    options
});
