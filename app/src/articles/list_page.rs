//! `/articles`: all articles, last changed first.

use crate::{
    articles::{
        schedule_panel::delete::{DeleteForm, RestoreForm},
        server_fns::list_articles,
        texts::ArticleTexts,
    },
    live::live_resource,
    ui::{
        async_view::AsyncView,
        empty::Empty,
        icon::Icon,
        page_header::PageHeader,
        time::date_time::{DateTime, Relative},
    },
};
use domain::{
    Kind, Page,
    article::{ArticleFilter, ArticleQuery, ArticleRow, ExcerptPart},
    event::Signal as Change,
    input_limits,
};
use leptos::prelude::*;
use leptos_router::{hooks::use_query_map, params::ParamsMap};

/// The list; the URL holds its filters.
#[component]
pub fn Articles() -> impl IntoView {
    let texts = ArticleTexts::here();
    let url_query = use_query_map();
    let query = Memo::new(move |_| url_query.with(query_from_url));
    let wants = |change: &Change| change.entity == "article" || change.entity == "task";
    let page = live_resource(wants, move || query.get(), list_articles);
    view! {
        <PageHeader title=texts.heading().to_owned()>
            <a class="button main" href="/articles/new"><Icon name="edit" />{texts.write()}</a>
        </PageHeader>
        {move || url_query.with(|query| query.get("deleted")).map(|id| view! {
            <div class="notice" role="status">
                <p>{texts.was_deleted()}</p>
                <RestoreForm id=id name=texts.undo() />
            </div>
        })}
        {move || view! { <Filters query=query.get() /> }}
        <AsyncView from=page let:page>
            {move || view! { <List page=page.get() query=query.get() /> }}
        </AsyncView>
    }
}

fn query_from_url(query: &ParamsMap) -> ArticleQuery {
    let text =
        |name: &str| query.get(name).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    ArticleQuery {
        filter: text("state").and_then(|word| word.parse().ok()),
        q: text("q"),
        is_mine: text("mine").is_some(),
        cursor: text("cursor"),
        limit: None,
    }
}

/// The filters. A plain form, so that the URL holds them with and without JavaScript.
#[component]
fn Filters(query: ArticleQuery) -> impl IntoView {
    let texts = ArticleTexts::here();
    let chosen = query.filter;
    let option = move |filter: Option<ArticleFilter>, name: &'static str| {
        let value = filter.map_or("", ArticleFilter::as_str);
        view! { <option value=value selected=filter == chosen>{name}</option> }
    };
    view! {
        <form class="filters fields" method="get" action="/articles" role="search">
            <div class="field grow">
                <label for="q">{texts.search()}</label>
                <input id="q" name="q" type="search" maxlength=input_limits::MAX_SEARCH_CHARS value=query.q.unwrap_or_default() />
            </div>
            <div class="field">
                <label for="state">{texts.filter()}</label>
                <select id="state" name="state">
                    {option(None, texts.all())}
                    {option(Some(ArticleFilter::Draft), texts.drafts())}
                    {option(Some(ArticleFilter::Scheduled), texts.scheduled())}
                    {option(Some(ArticleFilter::Published), texts.published())}
                    {option(Some(ArticleFilter::Trash), texts.trash())}
                </select>
            </div>
            <label class="choice">
                <input type="checkbox" name="mine" value="1" checked=query.is_mine />
                {texts.mine()}
            </label>
            <button type="submit" class="button"><Icon name="search" />{texts.find()}</button>
        </form>
    }
}

#[component]
fn List(page: Page<ArticleRow>, query: ArticleQuery) -> impl IntoView {
    let texts = ArticleTexts::here();
    let is_filtered = query.filter.is_some() || query.q.is_some() || query.is_mine;
    let has_cursor = query.cursor.is_some();
    // A search for common words may have an empty page that is not the last one.
    if page.items.is_empty() && page.next_cursor.is_none() {
        let is_whole_trash =
            query.filter == Some(ArticleFilter::Trash) && query.q.is_none() && !query.is_mine && !has_cursor;
        return nothing(texts, is_filtered || has_cursor, is_whole_trash);
    }
    let next = page.next_cursor.map(|cursor| address(&query, Some(&cursor)));
    let first = has_cursor.then(|| address(&query, None));
    let rows = page.items.into_iter().map(|row| view! { <Row row=row /> }).collect_view();
    view! {
        <ul class="article-list">{rows}</ul>
        <p class="cursor">
            {first.map(|address| view! { <a href=address>{texts.newest()}</a> })}
            {next.map(|address| view! { <a href=address rel="next">{texts.more()}</a> })}
        </p>
    }
    .into_any()
}

fn nothing(texts: ArticleTexts, is_filtered: bool, is_whole_trash: bool) -> AnyView {
    if is_filtered {
        let (title, hint) = match is_whole_trash {
            true => (texts.trash_empty(), texts.trash_empty_hint()),
            false => (texts.none_found(), texts.none_found_hint()),
        };
        view! {
            <Empty title=title hint=hint>
                <a class="button" href="/articles">{texts.clear()}</a>
            </Empty>
        }
        .into_any()
    } else {
        view! {
            <Empty title=texts.none() hint=texts.none_hint()>
                <a class="button main" href="/articles/new">{texts.write()}</a>
            </Empty>
        }
        .into_any()
    }
}

#[component]
fn Row(row: ArticleRow) -> impl IntoView {
    let texts = ArticleTexts::here();
    let address = format!("/articles/{}", row.id);
    let changed = row.changed;
    view! {
        <li class="article-row">
            <a class="title" dir="auto" href=address>{row.title.clone()}</a>
            <p class="article-state"><StateMark row=row.clone() /></p>
            {(!row.excerpt.is_empty()).then(|| view! { <p class="excerpt">{row.excerpt.clone().into_iter().map(excerpt).collect_view()}</p> })}
            <p class="meta">
                <bdi>{row.owner.clone()}</bdi>
                <span>{texts.column_changed()} " " <Relative at=changed.at is_past=true /></span>
                <code>"/"{row.slug.clone()}</code>
            </p>
            <RowActions row=row />
        </li>
    }
}

/// Actions on an article: delete a draft, or restore it from the trash.
#[component]
fn RowActions(row: ArticleRow) -> impl IntoView {
    let is_idle = row.published.is_none() && row.waiting.is_none();
    row.may_change.then(|| match row.deleted {
        Some(_) => {
            view! { <RestoreForm id=row.id.to_string() name=ArticleTexts::here().restore() /> }.into_any()
        }
        None => is_idle.then(|| view! { <DeleteForm row=row /> }).into_any(),
    })
}

/// A part of the excerpt, marked if it matches the search.
fn excerpt(part: ExcerptPart) -> AnyView {
    if part.is_hit { view! { <mark>{part.text}</mark> }.into_any() } else { part.text.into_any() }
}

/// State of an article: draft, scheduled, published or deleted. A published one may be scheduled
/// again.
#[component]
fn StateMark(row: ArticleRow) -> impl IntoView {
    let texts = ArticleTexts::here();
    let public = row.published.map(|since| {
        view! {
            <span class="phase" data-phase="executed">
                <Icon name="executed" />{texts.published()} " " <DateTime at=since />
            </span>
        }
    });
    let waits = row.waiting.as_ref().map(|task| {
        let name = match (task.kind, row.published.is_some()) {
            (Kind::ArticlePublish, true) => texts.update_scheduled(),
            (Kind::ArticleUnpublish, _) => texts.unpublish_scheduled(),
            _ => texts.scheduled(),
        };
        let due = task.due;
        view! {
            <span class="phase" data-phase="scheduled">
                <Icon name="scheduled" />{name} " " <DateTime at=due /> " · " <Relative at=due.at />
            </span>
        }
    });
    let deleted =
        row.deleted.map(|at| view! { <span class="phase">{texts.deleted()} " " <DateTime at=at /></span> });
    let is_draft = row.published.is_none() && row.waiting.is_none() && row.deleted.is_none();
    let draft = is_draft.then(|| view! { <span class="phase"><Icon name="edit" />{texts.draft()}</span> });
    view! { {deleted}{draft}{public}{waits} }
}

/// Returns the URL of the list with these filters, from the cursor on.
fn address(query: &ArticleQuery, cursor: Option<&str>) -> String {
    let mut params = ParamsMap::new();
    if let Some(filter) = query.filter {
        params.insert("state", filter.as_str().to_owned());
    }
    if let Some(q) = &query.q {
        params.insert("q", q.clone());
    }
    if query.is_mine {
        params.insert("mine", "1".to_owned());
    }
    if let Some(cursor) = cursor {
        params.insert("cursor", cursor.to_owned());
    }
    format!("/articles{}", params.to_query_string())
}
