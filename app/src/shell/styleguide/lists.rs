//! Lists as tables, empty lists, and data that cannot be loaded.

use crate::shell::styleguide::{Part, Specimen};
use crate::{
    live::live,
    server_fns::Refused,
    tasks::list_page::table_row::TaskTableRow,
    ui::{
        async_view::AsyncView,
        empty::Empty,
        table::{
            address::{ListAddress, MOVE},
            form_row::OpenForm,
            header::{Tab, Tabs, TimeHeader},
            keys::KeysHint,
            pager::{PageLinks, Pager},
            search::Search,
        },
    },
};
use domain::{AccountId, DomainError, Kind, LocalizedTime, Priority, State, TaskId, Version, task::TaskRow};
use leptos::prelude::*;

const MINUTE_MS: i64 = 60_000;

/// A task in a state. `minutes`: when it is due, from now.
fn task(title: &str, state: State, minutes: i64, late_ms: Option<i64>) -> TaskRow {
    let now = live().now().get_untracked();
    let local = |at| LocalizedTime::new(at, 60, 60);
    let due = now.plus(minutes * MINUTE_MS);
    TaskRow {
        id: TaskId::generate(),
        kind: Kind::ArticlePublish,
        target_id: TaskId::generate().0,
        state,
        version: Version::FIRST,
        due: local(due),
        priority: Priority::Normal,
        title: title.to_owned(),
        slug: "zones".to_owned(),
        owner_id: AccountId(TaskId::generate().0),
        owner: "Ann".to_owned(),
        executed: late_ms.map(|late| local(due.plus(late))),
        reason: (state == State::Missed).then(|| "late".to_owned()),
        has_newer_revision: false,
        needs_approval: false,
        last_verb: None,
        undo: None,
        may_change: true,
    }
}

#[component]
pub fn Lists() -> impl IntoView {
    let address = ListAddress::here();
    let tabs = ["Upcoming", "Published", "Failed"].map(|label| Tab { value: label, label }).to_vec();
    let counts = vec![Some("4".to_owned()), Some("10,000+".to_owned()), None];
    let rows = [
        task("Scheduled", State::Scheduled, 54, None),
        task("Due", State::Scheduled, -1, None),
        task("Published on time", State::Executed, -60, Some(3)),
        task("Published late", State::Executed, -90, Some(2_000)),
        task("Failed", State::Failed, -100, None),
        task("Missed", State::Missed, -4_000, None),
        task("Cancelled", State::Cancelled, 90, None),
    ];
    let rows = rows.map(|row| view! { <TaskTableRow row=row address=address /> });
    let links = PageLinks {
        previous: Some("a".to_owned()),
        next: Some("b".to_owned()),
        shown: "50 of 2,000".to_owned(),
    };
    view! {
        <Part title="Lists">
            <Search address=address label="Search" button="Find" choice=("mine", "Only mine") />
            <Tabs address=address tabs=tabs current=Signal::stored("Upcoming") counts=Signal::stored(counts) />
            <table class="list-table">
                <thead>
                    <tr>
                        <th scope="col">"Article"</th>
                        <th scope="col">"Status"</th>
                        <TimeHeader address=address label="When" is_latest_first=Signal::stored(false) can_sort=Signal::stored(true) />
                        <th scope="col" class="owner">"Owner"</th>
                        <th scope="col" class="actions">"Actions"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
            <Pager address=address links=Memo::new(move |_| links.clone()) has_days=Signal::stored(true) />
            <KeysHint />
            <Specimen name="A form below a row">
                <OpenForm address=address name=MOVE><button class="button main" type="button">"Reschedule"</button></OpenForm>
            </Specimen>
        </Part>
    }
}

#[component]
pub fn Empties() -> impl IntoView {
    let unavailable = Resource::new(|| (), |()| async { Err::<u8, _>(Refused(DomainError::Unavailable)) });
    view! {
        <Part title="Empty and not loaded">
            <Specimen name="Empty">
                <Empty title="No channels yet." hint="Add one below to be notified of each publication.">
                    <a class="button" href="#lists">"Add"</a>
                </Empty>
            </Specimen>
            <Specimen name="Not loaded"><AsyncView from=unavailable let:_value>""</AsyncView></Specimen>
        </Part>
    }
}
