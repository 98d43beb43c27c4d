//! `/meetings`: the user's meetings, requests to approve, and all. It opens on the user's, the next
//! one first.

pub mod import;
mod row;

use crate::{
    live::live_resource,
    meetings::{
        result::announce_meeting,
        server_fns::{ActOnMeeting, MeetingList, MeetingListQuery, list_meetings},
    },
    saved_views::SavedViewBar,
    tasks::list_page::bulk::{BulkForm, BulkList},
    ui::{
        async_view::AsyncView,
        empty::Empty,
        form::Form,
        icon::Icon,
        page::header::PageHeader,
        table::{
            address::ListAddress,
            header::{EARLIEST, LATEST, ORDER, Tab, Tabs, TimeHeader},
            keys::use_list_keys,
            pager::{ExportLinks, PageLinks, Pager},
            search::Search,
        },
    },
};
use domain::{accounts::saved_view::ViewedList, meetings::MeetingScope};
use leptos::{either::Either, html, prelude::*};
use row::{MeetingTableRow, ROW_FORM, can_select, key};
use texts::{
    layout::LayoutTexts,
    lists::TableTexts,
    meeting_import::ImportTexts,
    meetings::MeetingTexts,
    number::{counted, grouped},
};

/// Parameter: meetings that have started.
const PAST: &str = "past";
/// Parameter: id of the series whose meetings are listed one by one.
const SERIES: &str = "series";
/// The tabs; the first is the default.
const TABS: [MeetingScope; 3] = [MeetingScope::Mine, MeetingScope::ToApprove, MeetingScope::All];

/// The list; the URL holds its filters.
#[component]
pub fn Meetings() -> impl IntoView {
    let texts = MeetingTexts::here();
    let address = ListAddress::here();
    let query = Memo::new(move |_| address.with(query_of));
    let read = live_resource(
        |change| matches!(change.entity.as_str(), "meeting" | "room"),
        move || query.get(),
        list_meetings,
    );
    let act = ServerAction::<ActOnMeeting>::new();
    announce_meeting(act);
    view! {
        <PageHeader title=texts.title().to_owned() lead=texts.lead()>
            <a class="button" href=import::IMPORT_PAGE><Icon name="import" />{ImportTexts::here().open()}</a>
            <a class="button main" href="/meetings/new"><Icon name="plus" />{texts.new_meeting()}</a>
        </PageHeader>
        <Search address=address label=texts.find() button=texts.find_button() choice=(PAST, texts.past()) />
        <SavedViewBar list=ViewedList::Meetings address=address />
        <Form action=act id=ROW_FORM>""</Form>
        <AsyncView from=read children=move |list| view! { <List list=list address=address query=query /> } />
    }
}

/// Returns the query that the URL means.
fn query_of(address: &ListAddress) -> MeetingListQuery {
    let is_past = address.get(PAST).is_some();
    MeetingListQuery {
        scope: address.get("state").and_then(|word| word.parse().ok()).unwrap_or(TABS[0]),
        is_past,
        is_latest_first: match address.get(ORDER).as_deref() {
            Some(LATEST) => true,
            Some(EARLIEST) => false,
            _ => is_past,
        },
        q: address.get("q"),
        series: address.get(SERIES),
        day: address.get("day"),
        cursor: address.get("cursor"),
    }
}

#[component]
fn List(
    list: Signal<MeetingList>,
    address: Memo<ListAddress>,
    query: Memo<MeetingListQuery>,
) -> impl IntoView {
    let texts = MeetingTexts::here();
    let is_empty = Memo::new(move |_| list.with(|list| list.page.items.is_empty()));
    let links = Memo::new(move |_| list.with(|list| query.with(|query| page_links(list, query))));
    let has_days = Signal::derive(move || !is_empty.get() || query.with(|query| query.day.is_some()));
    let has_boxes = Memo::new(move |_| list.with(|list| list.page.items.iter().any(can_select)));
    let matching =
        Signal::derive(move || Some(list.with(|list| query.with(|query| counted(total(list, query.scope))))));
    view! {
        <ScopeTabs list=list address=address query=query />
        {move || has_boxes.get().then(|| view! { <BulkForm address=address matching=matching list=BulkList::Meetings /> })}
        {move || {
            if is_empty.get() {
                Either::Left(view! { <NoMeetings address=address query=query /> })
            } else {
                Either::Right(view! { <Table list=list address=address query=query /> })
            }
        }}
        <Pager address=address links=links has_days=has_days />
        <ExportLinks address=address list="meetings" />
        <p class="visually-hidden" role="status">{move || links.with(|links| links.shown.clone())}" "{texts.title()}</p>
    }
}

#[component]
fn ScopeTabs(
    list: Signal<MeetingList>,
    address: Memo<ListAddress>,
    query: Memo<MeetingListQuery>,
) -> impl IntoView {
    let (texts, all) = (MeetingTexts::here(), LayoutTexts::here().all());
    let labels = [texts.mine(), texts.to_approve(), all];
    let tab = |(scope, label): (MeetingScope, _)| Tab { value: value_of(scope), label };
    let tabs = TABS.into_iter().zip(labels).map(tab).collect();
    let current = Signal::derive(move || query.with(|query| value_of(query.scope)));
    let counts = Signal::derive(move || {
        let counts = list.with(|list| list.counts);
        let counts = [counts.mine, counts.to_approve, counts.all];
        counts.into_iter().map(|count| Some(counted(count))).collect::<Vec<_>>()
    });
    view! { <Tabs address=address tabs=tabs current=current counts=counts /> }
}

/// Value of a tab in the URL; empty: the default.
fn value_of(scope: MeetingScope) -> &'static str {
    if scope == TABS[0] { "" } else { scope.as_str() }
}

/// Number of rows of a tab.
fn total(list: &MeetingList, scope: MeetingScope) -> u64 {
    match scope {
        MeetingScope::Mine => list.counts.mine,
        MeetingScope::ToApprove => list.counts.to_approve,
        MeetingScope::All => list.counts.all,
    }
}

/// Returns the links of the page, and the number of its rows.
fn page_links(list: &MeetingList, query: &MeetingListQuery) -> PageLinks {
    let (texts, shown) = (TableTexts::here(), grouped(list.page.items.len() as u64));
    let total = total(list, query.scope);
    let shown = if query.day.is_none() { texts.shown_of(shown, counted(total)) } else { texts.shown(shown) };
    PageLinks { previous: list.page.previous_cursor.clone(), next: list.page.next_cursor.clone(), shown }
}

#[component]
fn Table(
    list: Signal<MeetingList>,
    address: Memo<ListAddress>,
    query: Memo<MeetingListQuery>,
) -> impl IntoView {
    let (texts, table_texts) = (MeetingTexts::here(), TableTexts::here());
    let items = move || list.with(|list| list.page.items.clone());
    let is_latest_first = Signal::derive(move || query.with(|query| query.is_latest_first));
    let table = NodeRef::<html::Table>::new();
    use_list_keys(table);
    view! {
        <table class="list-table" node_ref=table>
            <thead>
                <tr>
                    <th scope="col">{texts.meeting()}</th>
                    <th scope="col">{texts.state()}</th>
                    <TimeHeader address=address label=texts.when() is_latest_first=is_latest_first can_sort=Signal::stored(true) />
                    <th scope="col" class="owner">{texts.organizer()}</th>
                    <th scope="col" class="actions">{table_texts.actions()}</th>
                </tr>
            </thead>
            <tbody><For each=items key=key children=move |row| view! { <MeetingTableRow row=row /> } /></tbody>
        </table>
    }
}

/// Nothing to list: says why, and links to more.
#[component]
fn NoMeetings(address: Memo<ListAddress>, query: Memo<MeetingListQuery>) -> impl IntoView {
    let (texts, table_texts) = (MeetingTexts::here(), TableTexts::here());
    let query = query.get();
    let to_start = address.with(|address| address.start().to_string());
    let book = move || {
        view! {
            <p class="row">
                <a class="button main" href="/meetings/new">{texts.new_meeting()}</a>
                <a class="button" href="/rooms">{texts.rooms()}</a>
            </p>
        }
    };
    let is_filtered = query.q.is_some() || query.series.is_some();
    match (query.day.is_some() || query.cursor.is_some(), is_filtered, query.is_past, query.scope) {
        (true, ..) => view! {
            <Empty title=table_texts.nothing_from_here() hint=table_texts.nothing_from_here_hint()>
                <a class="button" href=to_start>{table_texts.to_start()}</a>
            </Empty>
        }
        .into_any(),
        (false, true, ..) => view! {
            <Empty title=texts.none() hint=texts.none_found_hint()>
                <a class="button" href="/meetings">{texts.clear()}</a>
            </Empty>
        }
        .into_any(),
        (false, false, true, _) => {
            view! { <Empty title=texts.none() hint=texts.none_past_hint() /> }.into_any()
        }
        (false, false, false, MeetingScope::ToApprove) => {
            view! { <Empty title=texts.none_to_approve() hint=texts.none_to_approve_hint() /> }.into_any()
        }
        _ => view! { <Empty title=texts.none() hint=texts.none_mine_hint()>{book()}</Empty> }.into_any(),
    }
}
