//! `/messages`: the delayed messages, newest first, by state and key.

mod row;

use crate::{
    live::live_resource,
    messages::server_fns::{ChangeMessages, list_messages},
    saved_views::SavedViewBar,
    session::visitor,
    tasks::{
        list_page::{list_fns::ActOnTask, table_row::ROW_FORM},
        move_form::{MoveFormRow, move_form_of},
        result::announce_change,
    },
    ui::{
        async_view::AsyncView,
        empty::Empty,
        form::{Alert, Form, FromField, result_of},
        icon::Icon,
        page::{
            header::{PageHeader, TabTitle},
            settings_menu::AdminsOnly,
        },
        table::{
            address::{ListAddress, MOVE},
            entries::{Entry, entries},
            header::{Tab, Tabs},
            keys::use_list_keys,
            pager::{ExportLinks, PageLinks, Pager},
            search::Search,
        },
        time::picker::CityList,
    },
};
use domain::{
    State,
    accounts::saved_view::ViewedList,
    message::{MessageEntry, MessageList, MessageQuery},
    task::TaskRow,
};
use leptos::{either::Either, html, prelude::*};
pub use row::StateMark;
use row::{MessageTableRow, key};
use server_fn::ServerFn;
use texts::{
    layout::LayoutTexts,
    lists::TableTexts,
    messages::MessageTexts,
    number::{counted, grouped},
    tasks::TaskTexts,
};

/// The states that have a tab, after the tab of all states.
const TABS: [State; 5] = [State::Scheduled, State::Executed, State::Failed, State::Missed, State::Cancelled];
/// Id of the form for the selected messages.
const BULK_FORM: &str = "selected-messages";

/// The list; the URL holds its filters.
#[component]
pub fn Messages() -> impl IntoView {
    let texts = MessageTexts::here();
    if !visitor().is_admin() {
        return view! {
            <TabTitle title=texts.title().to_owned() />
            <h1>{texts.title()}</h1>
            <AdminsOnly />
        }
        .into_any();
    }
    let address = ListAddress::here();
    let query = Memo::new(move |_| address.with(query_of));
    let read = live_resource(
        |change| matches!(change.entity.as_str(), "task" | "delivery" | "channel"),
        move || query.get(),
        list_messages,
    );
    let act = ServerAction::<ActOnTask>::new();
    announce_change(act);
    view! {
        <PageHeader title=texts.title().to_owned() lead=texts.lead()>
            <a class="button" href="/rules"><Icon name="rules" />{texts.rules()}</a>
            <a class="button main" href="/messages/new"><Icon name="plus" />{texts.new_message()}</a>
        </PageHeader>
        <Search address=address label=texts.find() button=texts.find_button() />
        <SavedViewBar list=ViewedList::Messages address=address />
        <Form action=act id=ROW_FORM>""</Form>
        <AsyncView from=read children=move |list| view! { <List list=list address=address query=query /> } />
        <CityList />
    }
    .into_any()
}

/// Returns the query that the URL means.
fn query_of(address: &ListAddress) -> MessageQuery {
    MessageQuery {
        state: address.get("state").and_then(|word| word.parse().ok()),
        key_prefix: address.get("q"),
        cursor: address.get("cursor"),
        ..MessageQuery::default()
    }
}

#[component]
fn List(list: Signal<MessageList>, address: Memo<ListAddress>, query: Memo<MessageQuery>) -> impl IntoView {
    let texts = MessageTexts::here();
    let items = move || list.with(|list| list.page.items.clone());
    let form_of = |entry: &MessageEntry| move_form_of(&entry.task);
    let rows = entries(items, (address, MOVE), |entry: &MessageEntry| entry.message.id, form_of);
    let is_empty = Memo::new(move |_| rows.with(Vec::is_empty));
    let links = Memo::new(move |_| list.with(page_links));
    view! {
        <StateTabs list=list address=address query=query />
        {move || {
            if is_empty.get() {
                Either::Left(view! { <NoMessages address=address query=query /> })
            } else {
                Either::Right(view! { <BulkForm /> <Table rows=rows address=address /> })
            }
        }}
        <Pager address=address links=links has_days=Signal::stored(false) />
        <ExportLinks address=address list="messages" />
        <p class="visually-hidden" role="status">{move || links.with(|links| links.shown.clone())}" "{texts.title()}</p>
    }
}

#[component]
fn StateTabs(
    list: Signal<MessageList>,
    address: Memo<ListAddress>,
    query: Memo<MessageQuery>,
) -> impl IntoView {
    let (texts, task_texts) = (MessageTexts::here(), TaskTexts::here());
    let all = Tab { value: "", label: LayoutTexts::here().all() };
    let tab = |state: State| {
        let label = if state == State::Executed { texts.sent() } else { task_texts.state_of(state) };
        Tab { value: state.as_str(), label }
    };
    let tabs = std::iter::once(all).chain(TABS.into_iter().map(tab)).collect();
    let current = Signal::derive(move || query.with(|query| query.state.map_or("", State::as_str)));
    let counts = Signal::derive(move || {
        let counts = list.with(|list| list.counts);
        let states = std::iter::once(None).chain(TABS.into_iter().map(Some));
        let count = |state: Option<State>| match (counts.has_more, state) {
            // Only the newest are counted.
            (true, Some(_)) => texts.at_least(grouped(counts.of(state))),
            _ => counted(counts.of(state)),
        };
        states.map(|state| Some(count(state))).collect::<Vec<_>>()
    });
    view! { <Tabs address=address tabs=tabs current=current counts=counts /> }
}

fn page_links(list: &MessageList) -> PageLinks {
    let shown = TableTexts::here().shown(grouped(list.page.items.len() as u64));
    PageLinks { previous: list.page.previous_cursor.clone(), next: list.page.next_cursor.clone(), shown }
}

/// The buttons for the selected messages. The boxes are in the rows.
#[component]
fn BulkForm() -> impl IntoView {
    let texts = MessageTexts::here();
    let refusal = result_of(ChangeMessages::PATH, None).map(|result| result.refusal);
    let refusal = Signal::derive(move || refusal.clone());
    view! {
        <form id=BULK_FORM method="post" action=ChangeMessages::PATH class="row bulk-form" aria-label=texts.selected()>
            <FromField />
            <span class="muted">{texts.selected()}</span>
            <button class="button small" type="submit" name="what" value="run"><Icon name="now" />{texts.run_selected()}</button>
            <button class="button small" type="submit" name="what" value="cancel">
                <Icon name="cancelled" />{texts.cancel_selected()}
            </button>
            <Alert refusal=refusal />
        </form>
    }
}

#[component]
fn Table(rows: Memo<Vec<Entry<MessageEntry, TaskRow>>>, address: Memo<ListAddress>) -> impl IntoView {
    let (texts, table_texts) = (MessageTexts::here(), TableTexts::here());
    let entry = move |entry| match entry {
        Entry::Row(row) => Either::Left(view! { <MessageTableRow entry=row address=address /> }),
        Entry::Form(_, task) => Either::Right(view! { <MoveFormRow task=task address=address columns=4 /> }),
    };
    let table = NodeRef::<html::Table>::new();
    use_list_keys(table);
    view! {
        <table class="list-table message-table" node_ref=table>
            <thead>
                <tr>
                    <th scope="col">{texts.message()}</th>
                    <th scope="col">{texts.state()}</th>
                    <th scope="col" class="when">{texts.when()}</th>
                    <th scope="col" class="actions">{table_texts.actions()}</th>
                </tr>
            </thead>
            <tbody><For each=move || rows.get() key=|entry| entry.key(key) children=entry /></tbody>
        </table>
    }
}

/// Nothing to list: says why, and links to more.
#[component]
fn NoMessages(address: Memo<ListAddress>, query: Memo<MessageQuery>) -> impl IntoView {
    let (texts, table_texts) = (MessageTexts::here(), TableTexts::here());
    let to_start = address.with(|address| address.start().to_string());
    let (is_placed, is_searched, is_filtered) =
        query.with(|query| (query.cursor.is_some(), query.key_prefix.is_some(), query.state.is_some()));
    match (is_placed, is_searched, is_filtered) {
        (true, ..) => view! {
            <Empty title=table_texts.nothing_from_here() hint=table_texts.nothing_from_here_hint()>
                <a class="button" href=to_start>{table_texts.to_start()}</a>
            </Empty>
        }
        .into_any(),
        (false, true, _) => view! {
            <Empty title=texts.none() hint=texts.none_found_hint()>
                <a class="button" href="/messages">{texts.clear()}</a>
            </Empty>
        }
        .into_any(),
        (false, false, true) => {
            view! { <Empty title=texts.none_in_state() hint=texts.none_in_state_hint() /> }.into_any()
        }
        (false, false, false) => view! {
            <Empty title=texts.none() hint=texts.none_hint()>
                <a class="button main" href="/messages/new">{texts.new_message()}</a>
            </Empty>
        }
        .into_any(),
    }
}
