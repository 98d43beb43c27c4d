//! `/articles/{id}/revisions`: every saved text, two of them compared, and the way back.

use crate::{
    calls::articles::{RestoreRevision, article_revisions, article_state, diff_revisions},
    components::{diff::Diff, head::Head, loaded::Loaded, moment::Moment},
    form::PlainForm,
    words::articles::ArticleWords,
};
use domain::{
    ArticleId,
    article::{Article, DiffLine, RevisionRow},
};
use leptos::prelude::*;
use leptos_router::hooks::{use_params_map, use_query_map};
use serde::{Deserialize, Serialize};
use server_fn::ServerFn;

/// What the page shows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Texts {
    article: Article,
    rows: Vec<RevisionRow>,
    diff: Option<(i32, i32, Vec<DiffLine>)>,
}

/// The revisions of the article in the address; `?from=…&to=…` compares two.
#[component]
pub fn Revisions() -> impl IntoView {
    let params = use_params_map();
    let query = use_query_map();
    let asked = Memo::new(move |_| {
        let id = params.read().get("id").unwrap_or_default();
        let number = |name: &str| query.read().get(name).and_then(|number| number.parse::<i32>().ok());
        (id, number("from").zip(number("to")))
    });
    let texts = Resource::new(
        move || asked.get(),
        |(id, pair)| async move {
            let id: ArticleId = id.parse().map_err(|_| domain::Refusal::no_such("article"))?;
            let article = article_state(id).await?;
            let rows = article_revisions(id).await?;
            let diff = match pair.or_else(|| newest_pair(&rows)) {
                Some((from, to)) => Some((from, to, diff_revisions(id, from, to).await?)),
                None => None,
            };
            Ok(Texts { article, rows, diff })
        },
    );
    view! {
        <Loaded from=texts let:texts>
            {move || view! { <Comparison texts=texts.get() /> }}
        </Loaded>
    }
}

/// The last change.
fn newest_pair(rows: &[RevisionRow]) -> Option<(i32, i32)> {
    Some((rows.get(1)?.number, rows.first()?.number))
}

#[component]
fn Comparison(texts: Texts) -> impl IntoView {
    let words = ArticleWords::here();
    let Texts { article, rows, diff } = texts;
    let id = article.row.id;
    let (from, to) = diff.as_ref().map_or((0, 0), |(from, to, _)| (*from, *to));
    let title = format!("{} · {}", words.revisions(), article.row.title);
    let can_compare = rows.len() > 1;
    view! {
        <Head title=title><a href=format!("/articles/{id}")>{words.back_to_editor()}</a></Head>
        <form id="compare" method="get" action=format!("/articles/{id}/revisions")></form>
        <div class="scroll">
            <table class="table revisions">
                <thead>
                    <tr>
                        <th scope="col">{words.number()}</th>
                        {can_compare.then(|| view! {
                            <th scope="col">{words.older()}</th>
                            <th scope="col">{words.newer()}</th>
                        })}
                        <th scope="col">{words.title()}</th>
                        <th scope="col">{words.author()}</th>
                        <th scope="col">{words.when()}</th>
                        <th scope="col"><span class="hidden-word">{words.restore()}</span></th>
                    </tr>
                </thead>
                <tbody>
                    {rows
                        .into_iter()
                        .map(|row| view! { <Row row=row article=article.clone() from=from to=to can_compare=can_compare /> })
                        .collect_view()}
                </tbody>
            </table>
        </div>
        {can_compare.then(|| view! { <button class="button" type="submit" form="compare">{words.compare()}</button> })}
        {diff.map(|(from, to, lines)| view! {
            <section class="comparison" aria-labelledby="comparison">
                <h2 id="comparison">{words.compare_heading(from, to)}</h2>
                <Diff lines=lines />
            </section>
        })}
    }
}

#[component]
fn Row(row: RevisionRow, article: Article, from: i32, to: i32, can_compare: bool) -> impl IntoView {
    let words = ArticleWords::here();
    let number = row.number;
    let is_current = number == article.row.revision;
    let pick = move |name: &'static str, label: &'static str, chosen: i32| {
        let label = format!("{label} {}", words.revision(number));
        view! {
            <td>
                <input
                    type="radio" form="compare" name=name value=number checked=number == chosen aria-label=label class="pick"
                />
            </td>
        }
    };
    let marks = [
        is_current.then(|| words.is_current()),
        row.is_published.then(|| words.is_public()),
        row.is_pinned.then(|| words.is_pinned()),
    ];
    view! {
        <tr>
            <th scope="row">{number}</th>
            {can_compare.then(|| view! {
                {pick("from", words.older(), from)}
                {pick("to", words.newer(), to)}
            })}
            <td>
                <bdi>{row.title}</bdi> " "
                {marks.into_iter().flatten().map(|mark| view! { <span class="mark">{mark}</span> " " }).collect_view()}
                <small class="quiet">{words.count(row.words)}</small>
            </td>
            <td><bdi>{row.author}</bdi></td>
            <td><Moment at=row.saved /></td>
            <td>
                {(article.may_change && !is_current).then(|| view! {
                    <PlainForm function=RestoreRevision::PATH class="tight">
                        <input type="hidden" name="id" value=article.row.id.to_string() />
                        <input type="hidden" name="number" value=number />
                        <input type="hidden" name="seen_revision" value=article.row.revision />
                        <button class="button small" type="submit" aria-label=words.restore_number(number)>
                            {words.restore()}
                        </button>
                    </PlainForm>
                })}
            </td>
        </tr>
    }
}
