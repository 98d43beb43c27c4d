//! `/tasks`: the list of tasks, by state and title. It opens on what is scheduled, soonest first.

pub mod bulk;
pub mod list_fns;
pub mod table_row;

use crate::{
    live::live_resource,
    saved_views::SavedViewBar,
    tasks::{
        move_form::{MoveFormRow, move_form_of},
        result::announce_change,
        row::key,
    },
    ui::{
        async_view::AsyncView,
        empty::Empty,
        form::Form,
        page::header::PageHeader,
        table::{
            address::{ListAddress, MOVE},
            entries::{Entry, entries},
            header::{EARLIEST, LATEST, ORDER, Tab, Tabs, TimeHeader},
            keys::{KeysHint, use_list_keys},
            pager::{ExportLinks, PageLinks, Pager},
            search::Search,
        },
    },
};
use bulk::BulkForm;
use domain::{
    State,
    accounts::saved_view::ViewedList,
    task::{TaskQuery, TaskRow},
    tasks::{search_filters, search_filters::OF_TASKS},
};
use leptos::{either::Either, html, prelude::*};
use list_fns::{ActOnTask, TaskList, list_tasks};
use table_row::{ROW_FORM, TaskTableRow};
use texts::{
    layout::LayoutTexts,
    lists::TableTexts,
    number::{counted, grouped},
    tasks::TaskTexts,
};

/// Value of the parameter `state`: all states.
const ALL: &str = "all";
/// The states that have a tab. An empty URL means the first.
const TABS: [State; 5] = [State::Scheduled, State::Executed, State::Failed, State::Missed, State::Cancelled];

/// The list of tasks.
#[component]
pub fn Tasks() -> impl IntoView {
    let texts = TaskTexts::here();
    let address = ListAddress::here();
    let query = Memo::new(move |_| address.with(query_of));
    let read = live_resource(
        |change| matches!(change.entity.as_str(), "task" | "article"),
        move || query.get(),
        list_tasks,
    );
    let act = ServerAction::<ActOnTask>::new();
    announce_change(act);
    view! {
        <PageHeader title=texts.title().to_owned() lead=texts.lead() />
        <Search address=address label=texts.find() button=texts.find_button() filters=&OF_TASKS />
        <SavedViewBar list=ViewedList::Tasks address=address />
        <Form action=act id=ROW_FORM>""</Form>
        <AsyncView from=read children=move |list| view! { <List list=list address=address query=query /> } />
    }
}

/// Returns the query that the URL means.
fn query_of(address: &ListAddress) -> TaskQuery {
    let state = match address.get("state").as_deref() {
        Some(ALL) => None,
        Some(word) => Some(word.parse().unwrap_or(State::Scheduled)),
        None => Some(State::Scheduled),
    };
    // A state in the text of the search.
    let q = address.get("q");
    let in_text = q.as_deref().and_then(|q| search_filters::split(q, &OF_TASKS).get("state")?.parse().ok());
    let state = in_text.or(state);
    let is_latest_first = match address.get(ORDER).as_deref() {
        Some(LATEST) => true,
        Some(EARLIEST) => false,
        _ => state != Some(State::Scheduled),
    };
    let (day, cursor) = (address.get("day"), address.get("cursor"));
    TaskQuery { state, is_latest_first, q, day, cursor, ..TaskQuery::default() }
}

#[component]
fn List(list: Signal<TaskList>, address: Memo<ListAddress>, query: Memo<TaskQuery>) -> impl IntoView {
    let texts = TaskTexts::here();
    let items = move || list.with(|list| list.page.items.clone());
    let rows = entries(items, (address, MOVE), |row: &TaskRow| row.id, move_form_of);
    let is_empty = Memo::new(move |_| rows.with(Vec::is_empty));
    let links = Memo::new(move |_| list.with(|list| query.with(|query| page_links(list, query))));
    let matching = Signal::derive(move || {
        let (state, is_searched) = query.with(|query| (query.state, query.q.is_some()));
        (!is_searched).then(|| list.with(|list| counted(list.counts.of(state))))
    });
    view! {
        <StateTabs list=list address=address query=query />
        {move || (!is_empty.get()).then(|| view! { <BulkForm address=address matching=matching /> })}
        {move || {
            if is_empty.get() {
                Either::Left(view! { <NoTasks address=address query=query /> })
            } else {
                Either::Right(view! { <Table rows=rows address=address query=query /> })
            }
        }}
        <Pager address=address links=links has_days=Signal::derive(move || !is_empty.get() || query.with(|query| query.day.is_some())) />
        <ExportLinks address=address list="tasks" />
        <KeysHint />
        <p class="visually-hidden" role="status">{move || links.with(|links| links.shown.clone())}" "{texts.title()}</p>
    }
}

#[component]
fn StateTabs(list: Signal<TaskList>, address: Memo<ListAddress>, query: Memo<TaskQuery>) -> impl IntoView {
    let (texts, all) = (TaskTexts::here(), LayoutTexts::here().all());
    let tab = |state: State| match state {
        State::Scheduled => Tab { value: "", label: texts.upcoming() },
        state => Tab { value: state.as_str(), label: texts.state_of(state) },
    };
    let tabs = TABS.into_iter().map(tab).chain([Tab { value: ALL, label: all }]).collect();
    let current = Signal::derive(move || {
        query.with(|query| match query.state {
            Some(State::Scheduled) => "",
            Some(state) => state.as_str(),
            None => ALL,
        })
    });
    let counts = Signal::derive(move || {
        let counts = list.with(|list| list.counts);
        let states = TABS.into_iter().map(Some).chain([None]);
        states.map(|state| Some(counted(counts.of(state)))).collect()
    });
    view! { <Tabs address=address tabs=tabs current=current counts=counts /> }
}

/// Returns the links of the page, and the number of its rows and of all. A search is not counted.
fn page_links(list: &TaskList, query: &TaskQuery) -> PageLinks {
    let (texts, shown) = (TableTexts::here(), grouped(list.page.items.len() as u64));
    let shown = match query.q {
        None => texts.shown_of(shown, counted(list.counts.of(query.state))),
        Some(_) => texts.shown(shown),
    };
    PageLinks { previous: list.page.previous_cursor.clone(), next: list.page.next_cursor.clone(), shown }
}

#[component]
fn Table(
    rows: Memo<Vec<Entry<TaskRow, TaskRow>>>,
    address: Memo<ListAddress>,
    query: Memo<TaskQuery>,
) -> impl IntoView {
    let (texts, table_texts) = (TaskTexts::here(), TableTexts::here());
    let entry = move |entry| match entry {
        Entry::Row(row) => Either::Left(view! { <TaskTableRow row=row address=address /> }),
        Entry::Form(_, task) => Either::Right(view! { <MoveFormRow task=task address=address columns=5 /> }),
    };
    let is_latest_first = Signal::derive(move || query.with(|query| query.is_latest_first));
    let table = NodeRef::<html::Table>::new();
    use_list_keys(table);
    view! {
        <table class="list-table" node_ref=table>
            <thead>
                <tr>
                    <th scope="col">{texts.target()}</th>
                    <th scope="col">{texts.state()}</th>
                    <TimeHeader address=address label=texts.when() is_latest_first=is_latest_first can_sort=Signal::stored(true) />
                    <th scope="col" class="owner">{texts.owner()}</th>
                    <th scope="col" class="actions">{table_texts.actions()}</th>
                </tr>
            </thead>
            <tbody><For each=move || rows.get() key=|entry| entry.key(key) children=entry /></tbody>
        </table>
    }
}

/// Nothing to list: says why, and links to more.
#[component]
fn NoTasks(address: Memo<ListAddress>, query: Memo<TaskQuery>) -> impl IntoView {
    let (texts, table_texts) = (TaskTexts::here(), TableTexts::here());
    let (is_searched, is_placed, is_all) = query.with(|query| {
        (query.q.is_some(), query.day.is_some() || query.cursor.is_some(), query.state.is_none())
    });
    let to_start = address.with(|address| address.start().to_string());
    let in_all = address.with(|address| address.start().with("state", ALL).to_string());
    match (is_placed, is_searched) {
        (true, _) => view! {
            <Empty title=table_texts.nothing_from_here() hint=table_texts.nothing_from_here_hint()>
                <a class="button" href=to_start>{table_texts.to_start()}</a>
            </Empty>
        }
        .into_any(),
        (false, true) => view! {
            <Empty title=texts.nothing() hint=texts.empty_filtered()>
                {(!is_all).then(|| view! { <a class="button" href=in_all>{texts.search_all()}</a> })}
                <a class="button" href="/tasks">{texts.show_all()}</a>
            </Empty>
        }
        .into_any(),
        (false, false) => view! { <Empty title=texts.nothing() hint=texts.empty() /> }.into_any(),
    }
}
