//! `/releases`: the newest releases. `/releases/new`: a new one.

use crate::releases::{
    choices::ArticleChoices,
    server_fns::{CreateRelease, NewReleaseForm, OfferedArticle, list_releases, offer_for_release},
};
use crate::{
    help::link::WordLink,
    live::{live, live_resource},
    session::visitor,
    ui::{
        async_view::AsyncView,
        empty::Empty,
        form::{PlainForm, choice::Choice, field::Field, result_of, typed},
        icon::Icon,
        page::header::PageHeader,
    },
};
use domain::{
    LocalizedTime,
    releases::{ReleaseRow, ReleaseState},
};
use leptos::{either::Either, prelude::*};
use leptos_router::hooks::use_query_map;
use server_fn::ServerFn;
use std::iter;
use texts::articles::releases::ReleaseTexts;
use texts::{language, time};

/// The list.
#[component]
pub fn Releases() -> impl IntoView {
    let texts = ReleaseTexts::here();
    let read = live_resource(
        |change| matches!(change.entity.as_str(), "release" | "task"),
        || (),
        |()| list_releases(),
    );
    view! {
        <PageHeader title=texts.title().to_owned() lead=texts.lead()>
            <WordLink topic="releases" word="release" name=texts.title() />
            <a class="button main" href="/releases/new"><Icon name="plus" />{texts.new_release()}</a>
        </PageHeader>
        <AsyncView from=read children=move |list| view! { <List list=list /> } />
    }
}

#[component]
fn List(list: Signal<Vec<ReleaseRow>>) -> impl IntoView {
    let texts = ReleaseTexts::here();
    let latest = Memo::new(move |_| list.get());
    move || {
        let rows = latest.get();
        if rows.is_empty() {
            return Either::Left(view! {
                <Empty title=texts.none() hint=texts.none_hint()>
                    <a class="button main" href="/releases/new">{texts.new_release()}</a>
                </Empty>
            });
        }
        let rows = rows.into_iter().map(|row| view! { <Row row=row /> }).collect_view();
        Either::Right(view! {
            <table class="list-table">
                <thead>
                    <tr>
                        <th scope="col">{texts.name()}</th>
                        <th scope="col">{texts.state()}</th>
                        <th scope="col" class="when">{texts.when()}</th>
                        <th scope="col" class="when">{texts.articles()}</th>
                        <th scope="col" class="owner">{texts.owner()}</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        })
    }
}

#[component]
fn Row(row: ReleaseRow) -> impl IntoView {
    let at = row.published.or(row.task.as_ref().map(|task| task.due));
    view! {
        <tr class="list-row">
            <th scope="row" class="main"><a class="title" dir="auto" href=format!("/releases/{}", row.id)>{row.name}</a></th>
            <td class="state"><StateMark state=row.state /></td>
            <td class="when">{at.map(moment)}</td>
            <td class="when">{ReleaseTexts::here().count(row.count)}</td>
            <td class="owner" dir="auto">{row.owner}</td>
        </tr>
    }
}

/// State of a release as shape and word.
#[component]
pub(super) fn StateMark(
    /// The state.
    state: ReleaseState,
) -> impl IntoView {
    let phase = match state {
        ReleaseState::Draft | ReleaseState::Reverted => "cancelled",
        ReleaseState::Scheduled => "scheduled",
        ReleaseState::Failed => "failed",
        ReleaseState::Published => "executed",
    };
    view! { <span class="phase state-mark" data-phase=phase>{ReleaseTexts::here().state_of(state)}</span> }
}

/// A time in the zone of the user.
pub(super) fn moment(at: LocalizedTime) -> String {
    time::moment(language(), at, visitor().zone(), live().now().get_untracked())
}

/// The page of a new release: its name and its articles. `ids`: articles that are ticked already.
#[component]
pub fn ReleaseNew() -> impl IntoView {
    let texts = ReleaseTexts::here();
    let query = use_query_map();
    let wanted = Memo::new(move |_| {
        query.with(|query| {
            let ids = query.get_all("ids").unwrap_or_default().join(",");
            (ids, query.get("q").unwrap_or_default())
        })
    });
    let read = live_resource(
        |change| change.entity == "release",
        move || wanted.get(),
        |(ids, q)| offer_for_release(ids, q),
    );
    view! {
        <PageHeader title=texts.new_release().to_owned() lead=texts.none_hint()>
            <a class="button" href="/releases"><Icon name="left" />{texts.back()}</a>
        </PageHeader>
        <AsyncView from=read children=move |found| view! {
            <NewForm found=found.get_untracked() q=wanted.with_untracked(|(_, q)| q.clone()) />
        } />
    }
}

/// The form: a name, or an open release; the articles; and a search that keeps those that were ticked before.
#[component]
fn NewForm(found: NewReleaseForm, q: String) -> impl IntoView {
    let texts = ReleaseTexts::here();
    let NewReleaseForm { chosen, offered, open } = found;
    let refusal = result_of(CreateRelease::PATH, None).map(|result| result.refusal);
    let refusal = Signal::derive(move || refusal.clone());
    let name = typed(CreateRelease::PATH, "name").unwrap_or_else(|| name_of(&chosen));
    let ids = chosen.iter().map(|one| {
        let id = one.id.clone();
        view! { <input type="hidden" name="ids" value=id /> }
    });
    let ids = ids.collect_view();
    let open = (!chosen.is_empty() && !open.is_empty()).then(|| {
        let new = (String::new(), texts.new_release().to_owned());
        let open = open.into_iter().map(|row| (format!("{}.{}", row.id, row.version.0), row.name));
        let options: Vec<_> = iter::once(new).chain(open).collect();
        view! { <Choice name="into" label=texts.add_to() options=options chosen=String::new() /> }
    });
    view! {
        <form method="get" action="/releases/new" class="row">
            {ids}
            <div class="field"><input type="search" name="q" value=q aria-label=texts.find() placeholder=texts.find() maxlength="200" /></div>
            <button class="button" type="submit">{texts.find_button()}</button>
        </form>
        <PlainForm function=CreateRelease::PATH class="message-form" fields=&["name"]>
            {open}
            <Field name="name" label=texts.name() hint=texts.name_hint() refusal=refusal is_optional=true value=name />
            <fieldset class="article-choices">
                <legend class="label">{texts.articles()}</legend>
                <ArticleChoices articles=chosen are_chosen=true />
                <ArticleChoices articles=offered />
            </fieldset>
            <p><button type="submit" class="button main">{texts.create()}</button></p>
        </PlainForm>
    }
}

/// A name for a release of these articles; empty: it has none.
fn name_of(chosen: &[OfferedArticle]) -> String {
    match chosen {
        [] => String::new(),
        [one] => one.title.clone(),
        [first, rest @ ..] => ReleaseTexts::here().and_more(&first.title, rest.len()),
    }
}
