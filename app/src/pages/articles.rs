//! `/articles`: everything that was written, newest change first.

use crate::{
    calls::articles::list_articles,
    components::{
        empty::Empty,
        head::Head,
        icon::Icon,
        loaded::Loaded,
        moment::{Moment, Relative},
        schedule_panel::delete::{DeleteForm, RestoreForm},
    },
    live::follow,
    words::articles::ArticleWords,
};
use domain::{
    Kind, Page,
    article::{ArticleFilter, ArticleQuery, ArticleRow, ExcerptPart},
    event::Signal as Change,
    limit,
};
use leptos::prelude::*;
use leptos_router::{hooks::use_query_map, params::ParamsMap};

/// The list; the address holds what it is narrowed to.
#[component]
pub fn Articles() -> impl IntoView {
    let words = ArticleWords::here();
    let query = use_query_map();
    let asked = Memo::new(move |_| query.with(asked_for));
    let wants = |change: &Change| change.entity == "article" || change.entity == "task";
    let page = follow(wants, move || asked.get(), list_articles);
    view! {
        <Head title=words.heading().to_owned()>
            <a class="button main" href="/articles/new"><Icon name="edit" />{words.write()}</a>
        </Head>
        {move || query.with(|query| query.get("deleted")).map(|id| view! {
            <div class="notice" role="status">
                <p>{words.was_deleted()}</p>
                <RestoreForm id=id name=words.undo() />
            </div>
        })}
        {move || view! { <Filters asked=asked.get() /> }}
        <Loaded from=page let:page>
            {move || view! { <List page=page.get() asked=asked.get() /> }}
        </Loaded>
    }
}

fn asked_for(query: &ParamsMap) -> ArticleQuery {
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

/// A plain form: the address holds the choice, with and without JavaScript.
#[component]
fn Filters(asked: ArticleQuery) -> impl IntoView {
    let words = ArticleWords::here();
    let chosen = asked.filter;
    let option = move |filter: Option<ArticleFilter>, name: &'static str| {
        let value = filter.map_or("", ArticleFilter::as_str);
        view! { <option value=value selected=filter == chosen>{name}</option> }
    };
    view! {
        <form class="filters fields" method="get" action="/articles" role="search">
            <div class="field grow">
                <label for="q">{words.search()}</label>
                <input id="q" name="q" type="search" maxlength=limit::SEARCH_CHARS value=asked.q.unwrap_or_default() />
            </div>
            <div class="field">
                <label for="state">{words.filter()}</label>
                <select id="state" name="state">
                    {option(None, words.all())}
                    {option(Some(ArticleFilter::Draft), words.drafts())}
                    {option(Some(ArticleFilter::Scheduled), words.scheduled())}
                    {option(Some(ArticleFilter::Published), words.published())}
                    {option(Some(ArticleFilter::Trash), words.trash())}
                </select>
            </div>
            <label class="choice">
                <input type="checkbox" name="mine" value="1" checked=asked.is_mine />
                {words.mine()}
            </label>
            <button type="submit" class="button"><Icon name="search" />{words.find()}</button>
        </form>
    }
}

#[component]
fn List(page: Page<ArticleRow>, asked: ArticleQuery) -> impl IntoView {
    let words = ArticleWords::here();
    let is_narrowed = asked.filter.is_some() || asked.q.is_some() || asked.is_mine;
    let is_later = asked.cursor.is_some();
    // Of a search for common words next to each other a page may be empty, and the next one not.
    if page.items.is_empty() && page.next_cursor.is_none() {
        return nothing(words, is_narrowed || is_later);
    }
    let next = page.next_cursor.map(|cursor| address(&asked, Some(&cursor)));
    let first = is_later.then(|| address(&asked, None));
    let rows = page.items.into_iter().map(|row| view! { <Row row=row /> }).collect_view();
    view! {
        <ul class="article-list">{rows}</ul>
        <p class="cursor">
            {first.map(|address| view! { <a href=address>{words.newest()}</a> })}
            {next.map(|address| view! { <a href=address rel="next">{words.more()}</a> })}
        </p>
    }
    .into_any()
}

fn nothing(words: ArticleWords, is_narrowed: bool) -> AnyView {
    if is_narrowed {
        view! {
            <Empty title=words.none_found() hint=words.none_found_hint()>
                <a class="button" href="/articles">{words.clear()}</a>
            </Empty>
        }
        .into_any()
    } else {
        view! {
            <Empty title=words.none() hint=words.none_hint()>
                <a class="button main" href="/articles/new">{words.write()}</a>
            </Empty>
        }
        .into_any()
    }
}

#[component]
fn Row(row: ArticleRow) -> impl IntoView {
    let words = ArticleWords::here();
    let address = format!("/articles/{}", row.id);
    let changed = row.changed;
    view! {
        <li class="article-row">
            <a class="title" dir="auto" href=address>{row.title.clone()}</a>
            <p class="article-state"><StateMark row=row.clone() /></p>
            {(!row.excerpt.is_empty()).then(|| view! { <p class="excerpt">{row.excerpt.clone().into_iter().map(excerpt).collect_view()}</p> })}
            <p class="meta">
                <bdi>{row.owner.clone()}</bdi>
                <span>{words.column_changed()} " " <Relative at=changed.at is_past=true /></span>
                <code>"/"{row.slug.clone()}</code>
            </p>
            <RowActs row=row />
        </li>
    }
}

/// What can be done to the article from here: delete a draft, restore what was deleted.
#[component]
fn RowActs(row: ArticleRow) -> impl IntoView {
    let is_idle = row.published.is_none() && row.waiting.is_none();
    row.may_change.then(|| match row.deleted {
        Some(_) => {
            view! { <RestoreForm id=row.id.to_string() name=ArticleWords::here().restore() /> }.into_any()
        }
        None => is_idle.then(|| view! { <DeleteForm row=row /> }).into_any(),
    })
}

/// A part of the sentence that was found, marked if it was searched for.
fn excerpt(part: ExcerptPart) -> AnyView {
    if part.is_hit { view! { <mark>{part.text}</mark> }.into_any() } else { part.text.into_any() }
}

/// Draft, scheduled with its moment, published since; a published one may wait for more.
#[component]
fn StateMark(row: ArticleRow) -> impl IntoView {
    let words = ArticleWords::here();
    let public = row.published.map(|since| {
        view! {
            <span class="phase" data-phase="executed">
                <Icon name="executed" />{words.published()} " " {words.since()} " " <Moment at=since />
            </span>
        }
    });
    let waits = row.waiting.as_ref().map(|task| {
        let name = match (task.kind, row.published.is_some()) {
            (Kind::ArticlePublish, false) => words.scheduled(),
            (Kind::ArticlePublish, true) => words.updates(),
            (Kind::ArticleUnpublish, _) => words.goes_off(),
        };
        let due = task.due;
        view! {
            <span class="phase" data-phase="scheduled">
                <Icon name="scheduled" />{name} " " <Moment at=due /> " · " <Relative at=due.at />
            </span>
        }
    });
    let deleted =
        row.deleted.map(|at| view! { <span class="phase">{words.deleted()} " " <Moment at=at /></span> });
    let is_draft = row.published.is_none() && row.waiting.is_none() && row.deleted.is_none();
    let draft = is_draft.then(|| view! { <span class="phase"><Icon name="edit" />{words.draft()}</span> });
    view! { {deleted}{draft}{public}{waits} }
}

/// The address of the list narrowed like this, from the cursor on.
fn address(asked: &ArticleQuery, cursor: Option<&str>) -> String {
    let mut query = ParamsMap::new();
    if let Some(filter) = asked.filter {
        query.insert("state", filter.as_str().to_owned());
    }
    if let Some(q) = &asked.q {
        query.insert("q", q.clone());
    }
    if asked.is_mine {
        query.insert("mine", "1".to_owned());
    }
    if let Some(cursor) = cursor {
        query.insert("cursor", cursor.to_owned());
    }
    format!("/articles{}", query.to_query_string())
}
