//! `/releases`: the newest releases.

use crate::{
    help::link::WordLink,
    live::{live, live_resource},
    releases::server_fns::list_releases,
    session::visitor,
    ui::{async_view::AsyncView, empty::Empty, icon::Icon, page::header::PageHeader},
};
use domain::{
    LocalizedTime,
    releases::{ReleaseRow, ReleaseState},
};
use leptos::{either::Either, prelude::*};
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
