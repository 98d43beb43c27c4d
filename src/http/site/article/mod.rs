//! The page of an article.

pub mod card;
pub mod cover;
mod drawing;
pub mod drawn_card;
mod fonts;
mod outline;

use super::{
    head,
    page::{Article, PageHead, article_path, authors, direction, document, language, tag_path, time},
    texts::{self, SiteTexts},
};
use crate::text::{html::escape, words::reading_minutes};
use ::texts::articles::ArticleTexts;
use domain::{
    account::Language,
    articles::details::{ArticleDetails, Template},
};
use std::fmt::Write as _;
use store::{
    details::tag_key,
    site::{Neighbour, Neighbours, PublishedArticle},
};

/// Renders an article. `html`: its text; `None`: it exceeds a rendering limit.
pub fn article(input: &Article, html: Option<&str>) -> String {
    let (Article { frame, article, around, .. }, settings) = (input, &input.frame.settings);
    let details = article.details();
    let (lang, language) = language(settings, &details.language, article.language.as_deref());
    let words = texts::of(language);
    let is_page = details.template == Template::Page;
    let direction = direction(settings, lang, &article.title);
    let title = escape(&article.title);
    let mut main = format!("<article class=\"prose\"{direction}><header><h1 dir=\"auto\">{title}</h1>");
    if !is_page {
        let mut byline =
            format!("{} · {}", time(settings, language, article.published_at), authors(article, language));
        if let Some(updated) = article.updated_at.filter(|updated| *updated > article.published_at) {
            let _ = write!(byline, " · {} {}", words.updated(), time(settings, language, updated));
        }
        let _ = write!(byline, " · {}", reading_time(article, lang, language));
        let _ = write!(main, "<div class=\"byline\">{byline}</div>");
    }
    main.push_str("</header>");
    figure(&mut main, &details);
    match html {
        Some(html) => {
            main.push_str(&outline::contents(html, words.contents()));
            main.push_str(html);
        }
        None => {
            let _ = write!(main, "<p class=\"empty\">{}</p>", words.too_complex());
        }
    }
    main.push_str("</article>");
    tags(&mut main, &details, words);
    if !is_page {
        links(&mut main, around, words);
    }
    let title = format!("{} · {}", article.title, settings.title);
    let meta = head::of_article(input, &details, (lang, html));
    let about = PageHead { title: &title, brand: "p", language: lang, words, meta: &meta, search: "" };
    document(frame, &about, &main)
}

/// `4 min read`.
fn reading_time(article: &PublishedArticle, lang: &str, language: Language) -> String {
    let minutes = reading_minutes(u32::try_from(article.words).unwrap_or(0), lang).max(1);
    ArticleTexts(language).reading(minutes)
}

/// The cover with its caption.
fn figure(main: &mut String, details: &ArticleDetails) {
    if details.cover.is_empty() {
        return;
    }
    let caption = match details.cover_caption.as_str() {
        "" => String::new(),
        caption => format!("<figcaption dir=\"auto\">{}</figcaption>", escape(caption)),
    };
    let _ = write!(main, "<figure class=\"cover\">{}{caption}</figure>", cover::picture(details));
}

fn tags(main: &mut String, details: &ArticleDetails, words: SiteTexts) {
    if details.tags.is_empty() {
        return;
    }
    let _ = write!(main, "<ul class=\"tags\" aria-label=\"{}\">", words.tags());
    for tag in &details.tags {
        let (path, name) = (tag_path(&tag_key(tag)), escape(tag));
        let _ = write!(main, "<li><a href=\"{path}\" rel=\"tag\" dir=\"auto\">{name}</a></li>");
    }
    main.push_str("</ul>");
}

/// Links to related articles, the previous and the next one.
fn links(main: &mut String, around: &Neighbours, words: SiteTexts) {
    if !around.related.is_empty() {
        let _ = write!(main, "<nav class=\"related\" aria-label=\"{0}\"><h2>{0}</h2><ul>", words.related());
        for one in &around.related {
            let (path, title) = (article_path(&one.slug), escape(&one.title));
            let _ = write!(main, "<li><a href=\"{path}\" dir=\"auto\">{title}</a></li>");
        }
        main.push_str("</ul></nav>");
    }
    let step = |one: &Option<Neighbour>, rel: &str, label: &str| {
        one.as_ref().map_or_else(String::new, |one| {
            let (path, title) = (article_path(&one.slug), escape(&one.title));
            format!("<a href=\"{path}\" rel=\"{rel}\"><small>{label}</small> <bdi>{title}</bdi></a>")
        })
    };
    let previous = step(&around.previous, "prev", words.previous());
    let next = step(&around.next, "next", words.next());
    if !previous.is_empty() || !next.is_empty() {
        let _ = write!(main, "<nav class=\"pages\" aria-label=\"{}\">{previous}{next}</nav>", words.beside());
    }
}
