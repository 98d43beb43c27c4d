//! The text of one post of a connected site, as the text of an article: by the same rules as an import.

use super::{
    html::{self, Limit, MAX_HTML_BYTES, Reading, plain_text},
    wordpress::{self, BLOCK, Reused},
};
use crate::{
    imports::importer::hold::gate,
    text::{input, render::Budget},
};
use std::collections::BTreeMap;
use url::Url;

/// Begin of a gallery, whose pictures the text does not name.
const GALLERY: &str = "[gallery";

/// Maximum number of names of what is left out.
const MAX_NAMES: usize = 20;
/// Maximum length of such a name, characters.
const MAX_NAME_CHARS: usize = 300;

/// The program of a site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Program {
    /// WordPress.
    Wordpress,
    /// Ghost.
    Ghost,
}

/// A text on a site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteText {
    /// Title, as the site stores it.
    pub title: String,
    /// HTML.
    pub html: String,
    /// Its address there, for relative links.
    pub base: Option<Url>,
    /// Address of this desk, without a trailing slash: its own pictures get their path again.
    pub own: String,
}

/// A text that can become that of an article.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TakenText {
    /// Title as plain text.
    pub title: String,
    /// Markdown.
    pub body: String,
    /// Names of what is not in it.
    pub left_out: Vec<String>,
}

/// What everyone may read of a text, before it is converted.
struct Ungated {
    html: String,
    left_out: Vec<String>,
    keeps_lines: bool,
}

/// Converts a text. An error is a sentence. What is not for everyone is left out and named; a text of which that is unclear
/// is refused.
pub fn convert(program: Program, text: &SiteText, budget: &Budget) -> Result<TakenText, String> {
    if text.html.len() > MAX_HTML_BYTES {
        return Err(Limit::Size.to_string());
    }
    let Ungated { html, mut left_out, keeps_lines } = ungated(program, &text.html, budget)?;
    let reading =
        Reading { keeps_lines, base: text.base.clone(), pictures: own_pictures(text, &html, budget) };
    let converted = html::to_markdown(&html, &reading, budget).map_err(|limit| limit.to_string())?;
    left_out.extend(converted.left_out);
    // The names come from the site.
    let short = |name: &String| name.chars().take(MAX_NAME_CHARS).collect::<String>();
    let left_out: Vec<String> = left_out.iter().take(MAX_NAMES).map(short).collect();
    let is_kept = |letter: &char| !letter.is_control() || matches!(letter, '\n' | '\t');
    let body: String = converted.markdown.chars().filter(is_kept).collect();
    let body = input::body(&body).map_err(|problem| format!("the text {problem}"))?;
    let title = match program {
        Program::Wordpress => plain_text(&text.title, budget),
        Program::Ghost => text.title.clone(),
    };
    let title: String = title.chars().filter(|letter| !letter.is_control()).collect();
    let title = input::title(&title).map_err(|problem| format!("the title {problem}"))?;
    Ok(TakenText { title, body, left_out })
}

fn ungated(program: Program, html: &str, budget: &Budget) -> Result<Ungated, String> {
    match program {
        Program::Wordpress => {
            let found =
                wordpress::text_of(&Reused::default(), &|_: Option<&str>| Vec::new(), (html, ""), budget);
            if let Some(why) = found.held {
                return Err(why);
            }
            let mut left_out = found.left_out;
            left_out.extend(found.warnings);
            left_out.extend(html.contains(GALLERY).then(|| "the pictures of a gallery".to_owned()));
            Ok(Ungated { html: found.html, left_out, keeps_lines: !html.contains(BLOCK) })
        }
        Program::Ghost => {
            let found = gate::ghost(html, false);
            let keeps_lines = !html.contains('<');
            Ok(Ungated { html: found.html.into_owned(), left_out: found.left_out, keeps_lines })
        }
    }
}

/// Returns the pictures of this desk in a text, by their addresses.
fn own_pictures(text: &SiteText, html: &str, budget: &Budget) -> BTreeMap<String, String> {
    let all = html::pictures(html, text.base.as_ref(), budget).into_iter();
    let own = all.filter_map(|address| {
        let path = address.strip_prefix(&text.own)?;
        let path = path.starts_with('/').then(|| path.to_owned())?;
        Some((address, path))
    });
    own.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use tokio_util::sync::CancellationToken;

    fn taken(program: Program, html: &str) -> Result<TakenText, String> {
        let text = SiteText {
            title: "A &amp; B\0".to_owned(),
            html: html.to_owned(),
            base: Url::parse("https://blog.example/a/").ok(),
            own: "https://desk.example".to_owned(),
        };
        convert(program, &text, &Budget::new(Duration::from_secs(10), CancellationToken::new()))
    }

    #[test]
    fn a_hostile_text_becomes_harmless_markdown() {
        let html = "<p>a\0 <b>b</b></p><script>alert(1)</script><p><a href=\"javascript:alert(1)\">c</a></p>";
        for (program, title) in [(Program::Wordpress, "A & B"), (Program::Ghost, "A &amp; B")] {
            let text = taken(program, html).unwrap();
            assert!(text.body.contains("**b**") && !text.body.contains("alert"), "{text:?}");
            assert!(!text.body.contains('\0'), "{text:?}");
            assert!(text.left_out.iter().any(|name| name == "<script>"), "{text:?}");
            assert_eq!(text.title.trim_end_matches('\u{fffd}'), title);
        }
        let large = format!("<p>{}</p>", "a".repeat(MAX_HTML_BYTES));
        assert!(taken(Program::Wordpress, &large).unwrap_err().contains("2 MB"));
    }

    #[test]
    fn what_is_not_for_everyone_is_left_out_and_named() {
        let gated = "<!-- wp:paragraph -->\n<p>open</p>\n<!-- /wp:paragraph -->\n\
            <!-- wp:members/private -->\n<p>closed</p>\n<!-- /wp:members/private -->";
        let text = taken(Program::Wordpress, gated).unwrap();
        assert!(text.body.contains("open") && !text.body.contains("closed"), "{text:?}");
        assert_eq!(text.left_out.len(), 1, "{text:?}");
        let text = taken(Program::Ghost, "<p>open</p><!--members-only--><p>closed</p>").unwrap();
        assert!(text.body.contains("open") && !text.body.contains("closed"), "{text:?}");
        assert_eq!(text.left_out.len(), 1, "{text:?}");
    }

    #[test]
    fn pictures_of_this_desk_get_their_path_again() {
        let html = "<p><img src=\"https://desk.example/media/1\" alt=\"A\"><img src=\"https://desk.example.org/2\" alt=\"B\"></p>";
        let body = taken(Program::Ghost, html).unwrap().body;
        assert!(body.contains("(/media/1)") && body.contains("(https://desk.example.org/2)"), "{body}");
    }
}
