//! `/articles/{id}/revisions`: all revisions, a comparison of two, and restore.

use crate::{
    articles::server_fns::{RestoreRevision, article_revisions, article_state, diff_revisions},
    help::link::WordLink,
    ui::{
        async_view::AsyncView, diff::Diff, form::PlainForm, page::header::PageHeader,
        time::date_time::DateTime,
    },
};
use domain::{
    ArticleId,
    article::{Article, DiffLine, RevisionRow},
};
use leptos::prelude::*;
use leptos_router::hooks::{use_params_map, use_query_map};
use serde::{Deserialize, Serialize};
use server_fn::ServerFn;
use texts::articles::ArticleTexts;

/// Data of the page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct RevisionsPage {
    article: Article,
    rows: Vec<RevisionRow>,
    diff: Option<(i32, i32, Vec<DiffLine>)>,
}

/// The revisions of the article in the URL; `?from=…&to=…` compares two, without `to` with the newest.
#[component]
pub fn Revisions() -> impl IntoView {
    let params = use_params_map();
    let query = use_query_map();
    let asked = Memo::new(move |_| {
        let id = params.read().get("id").unwrap_or_default();
        let number = |name: &str| query.read().get(name).and_then(|number| number.parse::<i32>().ok());
        (id, number("from"), number("to"))
    });
    let page = Resource::new(
        move || asked.get(),
        |(id, from, to)| async move {
            let id: ArticleId = id.parse().map_err(|_| domain::DomainError::no_such("article"))?;
            let article = article_state(id).await?;
            let rows = article_revisions(id).await?;
            let to = to.or_else(|| rows.first().map(|row| row.number));
            let diff = match from.zip(to).or_else(|| newest_pair(&rows)) {
                Some((from, to)) => Some((from, to, diff_revisions(id, from, to).await?)),
                None => None,
            };
            Ok(RevisionsPage { article, rows, diff })
        },
    );
    view! {
        <AsyncView from=page let:page>
            {move || view! { <Comparison page=page.get() /> }}
        </AsyncView>
    }
}

/// Returns the last two revisions.
fn newest_pair(rows: &[RevisionRow]) -> Option<(i32, i32)> {
    Some((rows.get(1)?.number, rows.first()?.number))
}

#[component]
fn Comparison(page: RevisionsPage) -> impl IntoView {
    let texts = ArticleTexts::here();
    let RevisionsPage { article, rows, diff } = page;
    let id = article.row.id;
    let (from, to) = diff.as_ref().map_or((0, 0), |(from, to, _)| (*from, *to));
    let title = format!("{} · {}", texts.revisions(), article.row.title);
    let can_compare = rows.len() > 1;
    view! {
        <PageHeader title=title>
            <WordLink topic="revisions" word="revision" name=texts.revisions() />
            <a href=format!("/articles/{id}")>{texts.back_to_editor()}</a>
        </PageHeader>
        <form id="compare" method="get" action=format!("/articles/{id}/revisions")></form>
        <div class="scroll">
            <table class="table revisions">
                <thead>
                    <tr>
                        <th scope="col">{texts.number()}</th>
                        {can_compare.then(|| view! {
                            <th scope="col">{texts.older()}</th>
                            <th scope="col">{texts.newer()}</th>
                        })}
                        <th scope="col">{texts.title()}</th>
                        <th scope="col">{texts.author()}</th>
                        <th scope="col">{texts.when()}</th>
                        <th scope="col"><span class="visually-hidden">{texts.restore()}</span></th>
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
        {can_compare.then(|| view! { <button class="button" type="submit" form="compare">{texts.compare()}</button> })}
        {diff.map(|(from, to, lines)| view! {
            <section class="comparison" aria-labelledby="comparison">
                <h2 id="comparison">{texts.compare_heading(from, to)}</h2>
                <Diff lines=lines />
            </section>
        })}
    }
}

#[component]
fn Row(row: RevisionRow, article: Article, from: i32, to: i32, can_compare: bool) -> impl IntoView {
    let texts = ArticleTexts::here();
    let number = row.number;
    let is_current = number == article.row.revision;
    let radio = move |name: &'static str, label: &'static str, chosen: i32| {
        let label = format!("{label} {}", texts.revision(number));
        view! {
            <td>
                <input
                    type="radio" form="compare" name=name value=number checked=number == chosen aria-label=label class="pick"
                />
            </td>
        }
    };
    let marks = [
        is_current.then(|| texts.is_current()),
        row.is_published.then(|| texts.is_public()),
        row.is_pinned.then(|| texts.is_pinned()),
    ];
    view! {
        <tr>
            <th scope="row">{number}</th>
            {can_compare.then(|| view! {
                {radio("from", texts.older(), from)}
                {radio("to", texts.newer(), to)}
            })}
            <td>
                <bdi>{row.title}</bdi> " "
                {marks.into_iter().flatten().map(|mark| view! { <span class="mark">{mark}</span> " " }).collect_view()}
                <small class="muted">{texts.count(row.words)}</small> " "
                <small class="muted">{texts.changed(row.changed)}</small>
            </td>
            <td><bdi>{row.author}</bdi></td>
            <td><DateTime at=row.saved /></td>
            <td>
                {(article.may_change && !is_current).then(|| view! {
                    <PlainForm function=RestoreRevision::PATH class="inline">
                        <input type="hidden" name="id" value=article.row.id.to_string() />
                        <input type="hidden" name="number" value=number />
                        <input type="hidden" name="seen_revision" value=article.row.revision />
                        <button class="button small" type="submit" aria-label=texts.restore_number(number)>
                            {texts.restore()}
                        </button>
                    </PlainForm>
                })}
            </td>
        </tr>
    }
}
