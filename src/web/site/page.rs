//! The pages of the public site as HTML.

use super::{
    shelf,
    words::{day, words},
};
use crate::text::html::escape;
use domain::{Timestamp, settings::DeskSettings};
use std::{fmt::Write as _, sync::LazyLock};
use store::site::Piece;

/// Characters of an article's beginning on the index.
const LEAD: usize = 240;

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

/// The list of articles, newest first; `pieces` may hold one more than `most`, which means that there is another page.
pub fn index(settings: &DeskSettings, pieces: &[Piece], most: usize, is_first: bool, style: &str) -> String {
    let words = words(settings);
    let shown = pieces.get(..most).unwrap_or(pieces);
    let mut main = String::new();
    if shown.is_empty() {
        let _ = write!(main, "<p class=\"empty\">{}</p>", words.nothing);
    }
    if !shown.is_empty() {
        main.push_str("<div class=\"entries\">");
    }
    for piece in shown {
        let (place, title) = (address(&piece.slug), escape(&piece.title));
        let (time, lead) = (time(settings, piece.published_at), escape(&lead(&piece.body)));
        let _ = write!(
            main,
            "<article class=\"entry\"><h2><a href=\"{place}\">{title}</a></h2><div class=\"byline\">{time} · {}</div><p>{lead}</p></article>",
            escape(&piece.author)
        );
    }
    if !shown.is_empty() {
        main.push_str("</div>");
    }
    let mut steps = String::new();
    if !is_first {
        let _ = write!(steps, "<a href=\"/site\" rel=\"first\">{}</a>", words.newest);
    }
    if let (true, Some(last)) = (pieces.len() > most, shown.last()) {
        let _ = write!(
            steps,
            "<a href=\"/site?after={}-{}\" rel=\"next\">{}</a>",
            last.published_at, last.id, words.older
        );
    }
    if !steps.is_empty() {
        let _ = write!(main, "<nav class=\"pages\">{steps}</nav>");
    }
    document(settings, &settings.title, style, "h1", &main)
}

/// One article.
pub fn article(settings: &DeskSettings, piece: &Piece, style: &str) -> String {
    let words = words(settings);
    let mut byline = format!("{} · {}", time(settings, piece.published_at), escape(&piece.author));
    if let Some(updated) = piece.updated_at.filter(|updated| *updated > piece.published_at) {
        let _ = write!(byline, " · {} {}", words.updated, time(settings, updated));
    }
    let main = format!(
        "<article class=\"prose\"><header><h1>{}</h1><div class=\"byline\">{byline}</div></header>{}</article>",
        escape(&piece.title),
        shelf::html(&piece.body)
    );
    document(settings, &format!("{} · {}", piece.title, settings.title), style, "p", &main)
}

/// The page of an address where nothing is.
pub fn missing(settings: &DeskSettings, style: &str) -> String {
    let words = words(settings);
    let main = format!(
        "<article class=\"prose\"><header><h1>{}</h1></header><p>{}</p></article>",
        words.missing, words.missing_why
    );
    document(settings, &format!("{} · {}", words.missing, settings.title), style, "p", &main)
}

fn time(settings: &DeskSettings, millis: i64) -> String {
    let at = Timestamp::from_millis(millis);
    format!("<time datetime=\"{at}\">{}</time>", escape(&day(settings, at)))
}

/// The beginning of a text as plain words.
fn lead(body: &str) -> String {
    static PLAIN: LazyLock<ammonia::Builder<'static>> = LazyLock::new(|| {
        let mut builder = ammonia::Builder::empty();
        builder.clean_content_tags(["script", "style"].into_iter().collect());
        builder
    });
    let html = PLAIN.clean(&shelf::html(body)).to_string();
    // What is left has no tags, only the entities that ammonia writes.
    let text = html
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&nbsp;", " ")
        .replace("&amp;", "&");
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(LEAD) {
        None => words,
        Some((cut, _)) => {
            let short = words.get(..cut).unwrap_or_default();
            let end = short.rfind(' ').filter(|end| *end > cut / 2).unwrap_or(cut);
            format!("{}…", short.get(..end).unwrap_or_default())
        }
    }
}

/// `brand`: the element of the desk's title, `h1` where no other heading is the page's own.
fn document(settings: &DeskSettings, title: &str, style: &str, brand: &str, main: &str) -> String {
    let words = words(settings);
    let desk = escape(&settings.title);
    let sheet = if style.is_empty() {
        String::new()
    } else {
        format!("<link rel=\"stylesheet\" href=\"{}\">", escape(style))
    };
    format!(
        "<!DOCTYPE html><html lang=\"{language}\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\"><title>{title}</title>{sheet}\
         <link rel=\"icon\" href=\"/favicon.svg\" type=\"image/svg+xml\">\
         <link rel=\"alternate\" type=\"application/atom+xml\" title=\"{desk}\" href=\"/site/feed.xml\">\
         <link rel=\"alternate\" type=\"application/feed+json\" title=\"{desk}\" href=\"/site/feed.json\"></head>\
         <body class=\"site\"><a class=\"skip\" href=\"#main\">{skip}</a>\
         <header class=\"site-head\"><{brand} class=\"brand\"><a href=\"/site\">{desk}</a></{brand}></header>\
         <main class=\"site-main\" id=\"main\">{main}</main>\
         <footer class=\"site-foot\"><a href=\"/site/feed.xml\">{feed}</a></footer></body></html>",
        language = settings.language.as_str(),
        title = escape(title),
        skip = words.skip,
        feed = words.feed,
    )
}
