//! Who waits, and what became of the others: by state and subject.

use crate::{
    help::link::WordLink,
    live::{live, live_resource},
    rules::server_fns::list_waits,
    session::visitor,
    tasks::{
        list_page::{
            list_fns::ActOnTask,
            table_row::{ROW_FORM, RowActions, TaskTime},
        },
        move_form::{MoveFormRow, move_form_of},
        result::announce_change,
    },
    ui::{
        async_view::AsyncView,
        empty::Empty,
        form::Form,
        table::{
            address::{ListAddress, MOVE},
            entries::{Entry, entries},
            header::{Tab, Tabs},
            pager::{PageLinks, Pager},
            search::Search,
        },
    },
};
use domain::{
    LocalizedTime, Page, State,
    wait::{WaitEntry, WaitQuery, WaitRow},
};
use leptos::{either::Either, prelude::*};
use texts::{language, lists::TableTexts, reason, rules::RuleTexts, tasks::TaskTexts, time};

/// Value of the parameter `state`: all states.
const ALL: &str = "all";

/// The list. The URL holds its filters.
#[component]
pub(super) fn Waits(rule: Memo<String>) -> impl IntoView {
    let (texts, task_texts) = (RuleTexts::here(), TaskTexts::here());
    let address = ListAddress::here();
    let query = Memo::new(move |_| address.with(query_of));
    let read = live_resource(
        |change| matches!(change.entity.as_str(), "task" | "rule"),
        move || (rule.get(), query.get()),
        |(rule, query)| list_waits(rule, query),
    );
    let act = ServerAction::<ActOnTask>::new();
    announce_change(act);
    let states = [State::Executed, State::Cancelled, State::Failed, State::Missed];
    let tab = |state: State| Tab { value: state.as_str(), label: task_texts.state_of(state) };
    let tabs = std::iter::once(Tab { value: "", label: texts.waiting() })
        .chain(states.into_iter().map(tab))
        .chain([Tab { value: ALL, label: texts.all_states() }]);
    let current = Signal::derive(move || {
        query.with(|query| match query.state {
            Some(State::Scheduled) => "",
            Some(state) => state.as_str(),
            None => ALL,
        })
    });
    view! {
        <section class="panel" aria-labelledby="waits">
            <header>
                <div class="row">
                    <h2 id="waits">{texts.who_waits()}</h2>
                    <WordLink topic="rules" word="wait" name=texts.who_waits() />
                </div>
            </header>
            <Search address=address label=texts.find_subject() button=texts.find() />
            <Tabs address=address tabs=tabs.collect() current=current counts=Signal::stored(Vec::new()) />
            <Form action=act id=ROW_FORM>""</Form>
            <AsyncView from=read children=move |page| view! { <List page=page address=address query=query /> } />
        </section>
    }
}

/// Returns the query that the URL means. A search is about all states unless the URL says another.
fn query_of(address: &ListAddress) -> WaitQuery {
    let subject = address.get("q");
    let state = match address.get("state").as_deref() {
        Some(ALL) => None,
        Some(word) => Some(word.parse().unwrap_or(State::Scheduled)),
        None if subject.is_some() => None,
        None => Some(State::Scheduled),
    };
    WaitQuery { subject, state, cursor: address.get("cursor"), limit: None }
}

#[component]
fn List(page: Signal<Page<WaitEntry>>, address: Memo<ListAddress>, query: Memo<WaitQuery>) -> impl IntoView {
    let (texts, table_texts, task_texts) = (RuleTexts::here(), TableTexts::here(), TaskTexts::here());
    let items = move || page.with(|page| page.items.clone());
    let form_of = |entry: &WaitEntry| move_form_of(&entry.task);
    let rows = entries(items, (address, MOVE), |entry: &WaitEntry| entry.wait.id, form_of);
    let is_empty = Memo::new(move |_| rows.with(Vec::is_empty));
    let links = Memo::new(move |_| {
        page.with(|page| {
            let shown = table_texts.shown(page.items.len().to_string());
            PageLinks { previous: None, next: page.next_cursor.clone(), shown }
        })
    });
    let entry = move |entry| match entry {
        Entry::Row(row) => Either::Left(view! { <WaitTableRow entry=row address=address /> }),
        Entry::Form(_, task) => Either::Right(view! { <MoveFormRow task=task address=address columns=4 /> }),
    };
    let key = |entry: &WaitEntry| (entry.wait.id, entry.wait.version, entry.wait.came_after.is_some());
    view! {
        {move || {
            if is_empty.get() {
                Either::Left(view! { <NoWaits query=query /> })
            } else {
                Either::Right(view! {
                    <table class="list-table">
                        <thead>
                            <tr>
                                <th scope="col">{texts.subject()}</th>
                                <th scope="col">{task_texts.state()}</th>
                                <th scope="col" class="when">{texts.when()}</th>
                                <th scope="col" class="actions">{table_texts.actions()}</th>
                            </tr>
                        </thead>
                        <tbody>
                            <For each=move || rows.get() key=move |entry| entry.key(key) children=entry />
                        </tbody>
                    </table>
                })
            }
        }}
        <Pager address=address links=links has_days=Signal::stored(false) />
    }
}

#[component]
fn NoWaits(query: Memo<WaitQuery>) -> impl IntoView {
    let texts = RuleTexts::here();
    match query.with(|query| query.subject.is_some()) {
        true => view! { <Empty title=texts.none_of_subject() hint=texts.none_of_subject_hint() /> },
        false => view! { <Empty title=texts.none_waiting() hint=texts.none_waiting_hint() /> },
    }
}

/// One wait: subject and what happened, state, moment and actions.
#[component]
fn WaitTableRow(entry: WaitEntry, address: Memo<ListAddress>) -> impl IntoView {
    let task_texts = TaskTexts::here();
    let WaitEntry { wait, task } = entry;
    let now = live().now();
    let subject = match wait.key.is_empty() {
        true => wait.subject.clone(),
        false => format!("{} · {}", wait.subject, wait.key),
    };
    let shown = task.clone();
    let phase = Memo::new(move |_| shown.phase(now.get()));
    let kind = task.kind;
    let word = move || task_texts.phase(phase.get(), kind);
    view! {
        <tr class="list-row" id=format!("wait-{}", wait.id)>
            <th scope="row" class="main">
                <a class="title" dir="auto" href=format!("/tasks/{}", task.id)>{subject}</a>
                <p class="meta" dir="auto">{story(&wait)}</p>
            </th>
            <td class="state">
                <span class="phase state-mark" data-phase=move || phase.get().as_str()>{word}</span>
            </td>
            <td class="when"><TaskTime row=task.clone() /></td>
            <td class="actions"><RowActions row=task address=address /></td>
        </tr>
    }
}

/// What happened to a wait, in one line.
fn story(wait: &WaitRow) -> String {
    let texts = RuleTexts::here();
    let now = live().now().get_untracked();
    let moment = |at: LocalizedTime| time::moment(language(), at, visitor().zone(), now);
    let closed = wait.closed_by.clone().map(|(name, at)| texts.closed_by(name, moment(at)));
    let late = wait.came_after.clone().zip(wait.fired).map(|((name, at), fired)| {
        texts.came_after(name, time::span(language(), at.at.since(fired.at).max(0) / 1_000))
    });
    let why =
        wait.reason.as_deref().filter(|_| closed.is_none()).map(|why| reason::sentence(language(), why));
    let parts = [
        Some(texts.opened(moment(wait.opened))),
        closed,
        wait.fired.map(|at| texts.fired_at(moment(at))),
        late,
        why,
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}
