//! The pages of the public site as HTML.

use super::words::{self, Words, day};
use crate::text::{html::escape, render::OWN};
use domain::{Timestamp, person::Language, settings::DeskSettings};
use std::fmt::Write as _;
use store::site::Piece;

/// What every page is made from.
#[derive(Debug, Clone)]
pub struct Frame {
    /// Title, zone and language of the site.
    pub settings: DeskSettings,
    /// Address of the style sheet; empty: none.
    pub style: &'static str,
}

/// Everything that decides how a page of the index looks.
#[derive(Debug, Clone)]
pub struct Index {
    /// What every page is made from.
    pub frame: Frame,
    /// The articles, newest first; there may be one more than `most`, which means that there is another page.
    pub pieces: Vec<Piece>,
    /// Articles on a page.
    pub most: usize,
    /// Whether it is the page of the newest.
    pub is_first: bool,
}

/// Everything that decides how the page of an article looks, without its text, which its revision decides.
#[derive(Debug, Clone)]
pub struct Article {
    /// What every page is made from.
    pub frame: Frame,
    /// The article.
    pub piece: Piece,
}

/// The path of an article.
pub fn address(slug: &str) -> String {
    let mut path = String::from("/site/");
    for byte in slug.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            path.push(char::from(byte));
        } else {
            let _ = write!(path, "%{byte:02X}");
        }
    }
    path
}

/// The list of articles.
pub fn index(input: &Index) -> String {
    let settings = &input.frame.settings;
    let words = words::of(settings.language);
    let shown = input.pieces.get(..input.most).unwrap_or(&input.pieces);
    let mut main = String::new();
    if shown.is_empty() {
        let _ = write!(main, "<p class=\"empty\">{}</p>", words.nothing);
    } else {
        main.push_str("<div class=\"entries\">");
        for piece in shown {
            entry(&mut main, settings, piece);
        }
        main.push_str("</div>");
    }
    let mut steps = String::new();
    if !input.is_first {
        let _ = write!(steps, "<a href=\"/site\" rel=\"first\">{}</a>", words.newest);
    }
    if let (true, Some(last)) = (input.pieces.len() > input.most, shown.last()) {
        let _ = write!(
            steps,
            "<a href=\"/site?after={}-{}\" rel=\"next\">{}</a>",
            last.published_at, last.id, words.older
        );
    }
    if !steps.is_empty() {
        let _ = write!(main, "<nav class=\"pages\">{steps}</nav>");
    }
    let about = About { title: &settings.title, brand: "h1", language: settings.language.as_str(), words };
    document(&input.frame, &about, &main)
}

fn entry(main: &mut String, settings: &DeskSettings, piece: &Piece) {
    let (lang, language) = language(settings, piece);
    let lang = if lang == settings.language.as_str() {
        String::new()
    } else {
        format!(" lang=\"{}\"", escape(lang))
    };
    let _ = write!(
        main,
        "<article class=\"entry\"{lang}><h2 dir=\"auto\"><a href=\"{}\">{}</a></h2>\
         <div class=\"byline\">{} · <bdi>{}</bdi></div><p dir=\"auto\">{}</p></article>",
        address(&piece.slug),
        escape(&piece.title),
        time(settings, language, piece.published_at),
        escape(&piece.author),
        escape(piece.lead.as_deref().unwrap_or_default()),
    );
}

/// One article. `html`: its text; `None`: it exceeds a limit of rendering.
pub fn article(input: &Article, html: Option<&str>) -> String {
    let (Article { frame, piece }, settings) = (input, &input.frame.settings);
    let (lang, language) = language(settings, piece);
    let words = words::of(language);
    let mut byline =
        format!("{} · <bdi>{}</bdi>", time(settings, language, piece.published_at), escape(&piece.author));
    if let Some(updated) = piece.updated_at.filter(|updated| *updated > piece.published_at) {
        let _ = write!(byline, " · {} {}", words.updated, time(settings, language, updated));
    }
    let note = format!("<p class=\"empty\">{}</p>", words.too_complex);
    let main = format!(
        "<article class=\"prose\"><header><h1 dir=\"auto\">{}</h1><div class=\"byline\">{byline}</div></header>{}</article>",
        escape(&piece.title),
        html.unwrap_or(&note),
    );
    let title = format!("{} · {}", piece.title, settings.title);
    document(frame, &About { title: &title, brand: "p", language: lang, words }, &main)
}

/// The page of an address where nothing is.
pub fn missing(frame: &Frame) -> String {
    let words = words::of(frame.settings.language);
    notice(frame, words, words.missing, words.missing_why)
}

/// The page of an address whose article was deleted.
pub fn gone(frame: &Frame) -> String {
    let words = words::of(frame.settings.language);
    notice(frame, words, words.gone, words.gone_why)
}

fn notice(frame: &Frame, words: &Words, heading: &str, sentence: &str) -> String {
    let settings = &frame.settings;
    let main =
        format!("<article class=\"prose\"><header><h1>{heading}</h1></header><p>{sentence}</p></article>");
    let title = format!("{heading} · {}", settings.title);
    document(frame, &About { title: &title, brand: "p", language: settings.language.as_str(), words }, &main)
}

/// The language of an article, and the one of the words around it.
fn language<'p>(settings: &'p DeskSettings, piece: &'p Piece) -> (&'p str, Language) {
    match piece.language.as_deref() {
        Some("zh") => ("zh", Language::Zh),
        Some("en") => ("en", Language::En),
        Some(other) => (other, settings.language),
        None => (settings.language.as_str(), settings.language),
    }
}

fn time(settings: &DeskSettings, language: Language, millis: i64) -> String {
    let at = Timestamp::from_millis(millis);
    format!("<time datetime=\"{at}\">{}</time>", escape(&day(settings, language, at)))
}

/// What differs from page to page around the main part.
struct About<'p> {
    title: &'p str,
    /// The element of the site's title, `h1` where no other heading is the page's own.
    brand: &'p str,
    language: &'p str,
    words: &'p Words,
}

fn document(frame: &Frame, about: &About<'_>, main: &str) -> String {
    let desk = escape(&frame.settings.title);
    let sheet = if frame.style.is_empty() {
        String::new()
    } else {
        format!("<link rel=\"stylesheet\" href=\"{}\">", escape(frame.style))
    };
    format!(
        "<!DOCTYPE html><html lang=\"{language}\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\"><title>{title}</title>{sheet}\
         <link rel=\"icon\" href=\"/favicon.svg\" type=\"image/svg+xml\">\
         <link rel=\"alternate\" type=\"application/atom+xml\" title=\"{desk}\" href=\"/site/feed.xml\">\
         <link rel=\"alternate\" type=\"application/feed+json\" title=\"{desk}\" href=\"/site/feed.json\"></head>\
         <body class=\"site\"><a class=\"skip\" href=\"#{OWN}main\">{skip}</a>\
         <header class=\"site-head\"><{brand} class=\"brand\"><a href=\"/site\" dir=\"auto\">{desk}</a></{brand}></header>\
         <main class=\"site-main\" id=\"{OWN}main\" tabindex=\"-1\">{main}</main>\
         <footer class=\"site-foot\"><a href=\"/site/feed.xml\">{feed}</a></footer></body></html>",
        language = escape(about.language),
        title = escape(about.title),
        brand = about.brand,
        skip = about.words.skip,
        feed = about.words.feed,
    )
}
