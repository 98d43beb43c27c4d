//! The lists of the site as HTML: front page, tag, month, search results, archive.

use super::{
    article::cover,
    head::{self, description},
    page::{
        Frame, PageHead, article_path, author_path, authors, direction, document, language, path_part,
        tag_path, time,
    },
    texts,
};
use crate::text::html::escape;
use domain::{
    accounts::site_look::SiteLayout,
    media::address::{picture_of, preview_path},
};
use std::fmt::Write as _;
use store::{
    account::AuthorPage,
    site::{PublishedArticle, TagName},
};

/// Data of a list.
#[derive(Debug, Clone)]
pub struct List {
    /// Data of every page.
    pub frame: Frame,
    /// What is listed.
    pub kind: ListKind,
    /// The articles, newest first; one more than `max` means that there is another page.
    pub articles: Vec<PublishedArticle>,
    /// Maximum number of articles on a page.
    pub max: usize,
    /// Whether it is the first page.
    pub is_first: bool,
}

/// What a list holds.
#[derive(Debug, Clone)]
pub enum ListKind {
    /// All articles.
    Front,
    /// Articles with a tag.
    Tag(TagName),
    /// Articles of an author.
    Author(AuthorPage),
    /// Articles of a month: its name in the URL, and in words.
    Month(String, String),
    /// Articles that match a search text. `next`: where the next page begins; `None`: there is none.
    Search { text: String, next: Option<String> },
    /// The front page as it will be on this day.
    Preview(String),
}

impl List {
    fn path(&self) -> String {
        match &self.kind {
            ListKind::Front | ListKind::Preview(_) => "/site".to_owned(),
            ListKind::Search { text, .. } => format!("/site?q={}", path_part(text)),
            ListKind::Tag(tag) => tag_path(&tag.key),
            ListKind::Author(author) => author_path(&author.name),
            ListKind::Month(month, _) => format!("/site/archive/{month}"),
        }
    }
}

/// Renders a list.
pub fn list(input: &List) -> String {
    let settings = &input.frame.settings;
    let words = texts::of(settings.language);
    let shown = input.articles.get(..input.max).unwrap_or(&input.articles);
    let heading = match &input.kind {
        ListKind::Front | ListKind::Preview(_) => None,
        ListKind::Tag(tag) => Some(tag.name.clone()),
        ListKind::Month(_, name) => Some(name.clone()),
        ListKind::Author(author) => Some(author.name.clone()),
        ListKind::Search { text, .. } => Some(words.results(text)),
    };
    let mut main = String::new();
    if let ListKind::Preview(day) = &input.kind {
        let _ = write!(
            main,
            "<p class=\"list-note preview\"><strong>{}</strong> {}</p>",
            words.preview(),
            escape(day)
        );
    }
    if let Some(heading) = &heading {
        let _ = write!(main, "<h1 class=\"list-heading\" dir=\"auto\">{}</h1>", escape(heading));
    }
    if let ListKind::Author(author) = &input.kind
        && input.is_first
    {
        about(&mut main, author);
    }
    note(&mut main, input, shown.len());
    let is_front = matches!(input.kind, ListKind::Front | ListKind::Preview(_)) && input.is_first;
    if is_front && !input.frame.shared.featured.is_empty() {
        main.push_str("<div class=\"entries featured\">");
        for article in &input.frame.shared.featured {
            entry(&mut main, input, article);
        }
        main.push_str("</div>");
    }
    if shown.is_empty() {
        let sentence =
            if let ListKind::Search { .. } = input.kind { words.no_results() } else { words.nothing() };
        let _ = write!(main, "<p class=\"empty\">{sentence}</p>");
    } else {
        main.push_str("<div class=\"entries\">");
        let is_featured = |article: &&PublishedArticle| {
            is_front && input.frame.shared.featured.iter().any(|featured| featured.id == article.id)
        };
        for article in shown.iter().filter(|article| !is_featured(article)) {
            entry(&mut main, input, article);
        }
        main.push_str("</div>");
    }
    steps(&mut main, input, shown);
    finished(input, heading.as_deref(), &main)
}

/// Picture and text of an author.
fn about(main: &mut String, author: &AuthorPage) {
    let picture = picture_of(&author.picture).map_or_else(String::new, |(hash, kind, width, height)| {
        let path = preview_path(hash, kind, (width, height));
        format!("<img src=\"{path}\" alt=\"\" width=\"{width}\" height=\"{height}\" loading=\"lazy\">")
    });
    if picture.is_empty() && author.about.is_empty() {
        return;
    }
    let _ = write!(
        main,
        "<div class=\"about-author\">{picture}<p dir=\"auto\">{}</p></div>",
        escape(&author.about)
    );
}

/// The line below the heading: the feed of a tag or an author, or the number of results of a search.
fn note(main: &mut String, input: &List, shown: usize) {
    let words = texts::of(input.frame.settings.language);
    let note = match &input.kind {
        ListKind::Tag(tag) => {
            format!("<a href=\"{}/feed.xml\">{}</a>", tag_path(&tag.key), words.feed_of_tag())
        }
        ListKind::Author(author) => {
            format!("<a href=\"{}/feed.xml\">{}</a>", author_path(&author.name), words.feed_of_author())
        }
        ListKind::Search { next, .. } if input.is_first && shown > 0 => words.found_of(shown, next.is_some()),
        _ => return,
    };
    let _ = write!(main, "<p class=\"list-note\">{note}</p>");
}

/// Links to the first and the next page.
fn steps(main: &mut String, input: &List, shown: &[PublishedArticle]) {
    let words = texts::of(input.frame.settings.language);
    let (path, mut steps) = (input.path(), String::new());
    if !input.is_first {
        let _ = write!(steps, "<a href=\"{path}\" rel=\"first\">{}</a>", words.newest());
    }
    let next = match (&input.kind, shown.last()) {
        (ListKind::Search { next, .. }, _) => next.as_ref().map(|place| format!("{path}&amp;after={place}")),
        (_, Some(last)) if input.articles.len() > input.max => {
            Some(format!("{path}?after={}-{}", last.published_at, last.id))
        }
        _ => None,
    };
    if let Some(next) = next {
        let _ = write!(steps, "<a href=\"{next}\" rel=\"next\">{}</a>", words.older());
    }
    if !steps.is_empty() {
        let _ = write!(main, "<nav class=\"pages\">{steps}</nav>");
    }
}

fn finished(input: &List, heading: Option<&str>, main: &str) -> String {
    let (frame, settings) = (&input.frame, &input.frame.settings);
    let title =
        heading.map_or_else(|| settings.title.clone(), |heading| format!("{heading} · {}", settings.title));
    let address = format!("{}{}", frame.public_url, input.path());
    let meta = match (&input.kind, input.is_first) {
        (ListKind::Search { .. } | ListKind::Preview(_), _) => {
            "<meta name=\"robots\" content=\"noindex\">".to_owned()
        }
        (_, false) => String::new(),
        (ListKind::Front, true) => {
            head::of_list(&title, &settings.title, &address, &frame.shared.look.description)
        }
        (_, true) => head::of_list(&title, &settings.title, &address, ""),
    };
    let own_feed = match &input.kind {
        ListKind::Tag(tag) => Some((&tag.name, tag_path(&tag.key))),
        ListKind::Author(author) => Some((&author.name, author_path(&author.name))),
        _ => None,
    };
    let meta = match own_feed {
        Some((name, path)) => {
            let name = escape(name);
            format!(
                "{meta}<link rel=\"alternate\" type=\"application/atom+xml\" title=\"{name}\" href=\"{path}/feed.xml\">"
            )
        }
        None => meta,
    };
    let about = PageHead {
        title: &title,
        brand: if heading.is_some() { "p" } else { "h1" },
        language: settings.language.as_str(),
        words: texts::of(settings.language),
        meta: &meta,
        search: if let ListKind::Search { text, .. } = &input.kind { text } else { "" },
    };
    document(frame, &about, main)
}

/// One article of a list. In a preview it leads to the preview of its text.
fn entry(main: &mut String, input: &List, article: &PublishedArticle) {
    let settings = &input.frame.settings;
    let path = match input.kind {
        ListKind::Preview(_) => format!("/articles/{}?view=preview", article.id),
        _ => article_path(&article.slug),
    };
    let details = article.details();
    let (lang, language) = language(settings, &details.language, article.language.as_deref());
    let direction = direction(settings, lang, &article.title);
    let lang = if lang == settings.language.as_str() {
        String::new()
    } else {
        format!(" lang=\"{}\"", escape(lang))
    };
    let cover = match input.frame.shared.look.layout {
        SiteLayout::Magazine => cover::picture(&details),
        _ => String::new(),
    };
    let _ = write!(
        main,
        "<article class=\"entry\"{lang}{direction}>{cover}<h2 dir=\"auto\"><a href=\"{}\">{}</a></h2>\
         <div class=\"byline\">{} · {}</div><p dir=\"auto\">{}</p></article>",
        escape(&path),
        escape(&article.title),
        time(settings, language, article.published_at),
        authors(article, language),
        escape(description(&details, article.lead.as_deref())),
    );
}

/// Renders the archive: months with their number of articles, newest first, and tags.
pub fn archive(frame: &Frame, months: &[(String, String, usize)], tags: &[TagName]) -> String {
    let words = texts::of(frame.settings.language);
    let mut main = format!("<h1 class=\"list-heading\">{}</h1>", words.archive());
    if months.is_empty() {
        let _ = write!(main, "<p class=\"empty\">{}</p>", words.nothing());
    }
    let mut section = |heading: &str, class: &str, items: Vec<String>| {
        if !items.is_empty() {
            let items = items.concat();
            let _ = write!(main, "<section><h2>{heading}</h2><ul class=\"{class}\">{items}</ul></section>");
        }
    };
    let month = |(path, month, count): &(String, String, usize)| {
        format!("<li><a href=\"/site/archive/{path}\">{}</a> <small>{count}</small></li>", escape(month))
    };
    section(words.months(), "months", months.iter().map(month).collect());
    let tag = |tag: &TagName| {
        let (path, name) = (tag_path(&tag.key), escape(&tag.name));
        format!(
            "<li><a href=\"{path}\" rel=\"tag\" dir=\"auto\">{name}</a> <small>{}</small></li>",
            tag.count
        )
    };
    section(words.tags(), "tags", tags.iter().map(tag).collect());
    let title = format!("{} · {}", words.archive(), frame.settings.title);
    let address = format!("{}/site/archive/all", frame.public_url);
    let meta = head::of_list(&title, &frame.settings.title, &address, "");
    let language = frame.settings.language.as_str();
    document(frame, &PageHead { title: &title, brand: "p", language, words, meta: &meta, search: "" }, &main)
}
