//! `/reminders`: a line to add one, and the list in three parts: today's reminders, those that come, and those
//! that are done. *More* opens the whole form; the parameter `edit` opens that of a reminder.

use crate::{
    deliveries::held_mails::HeldMails,
    live::live_resource,
    reminders::{
        form::ReminderForm,
        line::LinePanel,
        result::announce_reminder,
        row::{ROW_FORM, ReminderTableRow, can_select, key},
        server_fns::{ActOnReminder, ReminderList, ReminderListQuery, SaveReminder, list_reminders},
    },
    saved_views::SavedViewBar,
    tasks::list_page::bulk::{BulkForm, BulkList},
    ui::{
        async_view::AsyncView,
        empty::Empty,
        form::{Form, refusal_of},
        page::header::PageHeader,
        table::{
            address::{EDIT, ListAddress},
            header::{EARLIEST, LATEST, ORDER, Tab, Tabs, TimeHeader},
            keys::use_list_keys,
            pager::{ExportLinks, PageLinks, Pager},
            search::Search,
        },
    },
};
use domain::{
    accounts::saved_view::ViewedList,
    reminders::{Reminder, ReminderView},
};
use leptos::{either::Either, html, prelude::*};
use leptos_router::hooks::use_query_map;
use server_fn::ServerFn;
use texts::{
    lists::TableTexts,
    number::{counted, grouped},
    reminders::ReminderTexts,
};

/// Parameters that fill the form. The links of the list do not keep them.
const OF_FORM: [&str; 3] = ["date", "time", "zone"];
/// The tabs; the first is the default.
const TABS: [ReminderView; 3] = [ReminderView::Today, ReminderView::Coming, ReminderView::Done];

/// The page; the URL holds the filters of the list.
#[component]
pub fn Reminders() -> impl IntoView {
    let texts = ReminderTexts::here();
    let here = ListAddress::here();
    let without = |address: &ListAddress| {
        OF_FORM.into_iter().fold(address.clone(), |address, name| address.with(name, ""))
    };
    let address = Memo::new(move |_| here.with(without));
    let query = Memo::new(move |_| address.with(query_of));
    let read = live_resource(
        |change| {
            change.entity == "account" && change.verb == "notify"
                || change.entity == "reminder"
                || change.entity == "task" && matches!(change.verb.as_str(), "execute" | "fail")
        },
        move || query.get(),
        list_reminders,
    );
    let act = ServerAction::<ActOnReminder>::new();
    announce_reminder(act);
    view! {
        <PageHeader title=texts.title().to_owned() lead=texts.lead() />
        <Form action=act id=ROW_FORM>""</Form>
        <LinePanel />
        <AsyncView from=read children=move |list| view! { <Parts list=list address=address query=query /> } />
    }
}

/// Returns the query that the URL means.
fn query_of(address: &ListAddress) -> ReminderListQuery {
    let view = address.get("state").and_then(|word| word.parse().ok()).unwrap_or(TABS[0]);
    ReminderListQuery {
        view,
        is_latest_first: match address.get(ORDER).as_deref() {
            Some(LATEST) => true,
            Some(EARLIEST) => false,
            _ => view == ReminderView::Done,
        },
        q: address.get("q"),
        day: address.get("day"),
        cursor: address.get("cursor"),
        edit: address.get(EDIT),
    }
}

#[component]
fn Parts(
    list: Signal<ReminderList>,
    address: Memo<ListAddress>,
    query: Memo<ReminderListQuery>,
) -> impl IntoView {
    let texts = ReminderTexts::here();
    view! {
        <FormSection list=list query=query />
        <section class="reminders" aria-labelledby="list-title">
            <h2 id="list-title" class="visually-hidden">{texts.title()}</h2>
            <Search address=address label=texts.find() button=texts.find_button() />
            <SavedViewBar list=ViewedList::Reminders address=address />
            <List list=list address=address query=query />
        </section>
    }
}

/// The whole form for a new reminder, behind *More*; or the form of the one that the URL names.
#[component]
fn FormSection(list: Signal<ReminderList>, query: Memo<ReminderListQuery>) -> impl IntoView {
    let texts = ReminderTexts::here();
    // Also follows the list: a link may open a reminder of another page, which is loaded after it.
    let edited = Memo::new(move |_| {
        let id = query.with(|query| query.edit.clone())?;
        list.with(|list| edited_of(list, &id).map(|one| one.id))
    });
    move || {
        let edited = edited.get();
        // Live updates of the list do not replace what the user types.
        let list = list.get_untracked();
        let reminder = edited.and_then(|id| edited_of(&list, &id.to_string()).cloned());
        let Some(reminder) = reminder else {
            return Either::Left(view! {
                <details class="open-in-place reminder-more" open=is_form_open()>
                    <summary class="button small">{texts.more()}</summary>
                    <div class="panel"><ReminderForm list=list reminder=None /></div>
                </details>
            });
        };
        let held_mails = reminder.held_mails.clone();
        Either::Right(view! {
            <section class="panel" aria-labelledby="edit-title">
                <header><h2 id="edit-title">{texts.edit_title()}</h2></header>
                <HeldMails mails=held_mails />
                <ReminderForm list=list reminder=Some(reminder) />
            </section>
        })
    }
}

/// Whether the whole form of a new reminder is open: it was refused, or the URL fills it.
fn is_form_open() -> bool {
    let query = use_query_map().get_untracked();
    refusal_of(SaveReminder::PATH).is_some() || OF_FORM.iter().any(|name| query.get(name).is_some())
}

/// Returns the reminder with this id if the user may change it; `None`: it is not loaded (yet).
fn edited_of<'a>(list: &'a ReminderList, id: &str) -> Option<&'a Reminder> {
    let mut all = list.edited.iter().chain(&list.page.items);
    all.find(|one| one.id.to_string() == id && one.may_change)
}

#[component]
fn List(
    list: Signal<ReminderList>,
    address: Memo<ListAddress>,
    query: Memo<ReminderListQuery>,
) -> impl IntoView {
    let texts = ReminderTexts::here();
    let is_empty = Memo::new(move |_| list.with(|list| list.page.items.is_empty()));
    let has_boxes = Memo::new(move |_| list.with(|list| list.page.items.iter().any(can_select)));
    let links = Memo::new(move |_| list.with(|list| query.with(|query| page_links(list, query))));
    let has_days = Signal::derive(move || !is_empty.get() || query.with(|query| query.day.is_some()));
    let matching = Signal::derive(move || {
        let is_whole = query.with(|query| query.q.is_none());
        is_whole.then(|| list.with(|list| query.with(|query| counted(list.count(query.view)))))
    });
    view! {
        <ViewTabs list=list address=address query=query />
        {move || has_boxes.get().then(|| view! { <BulkForm address=address matching=matching list=BulkList::Reminders /> })}
        {move || {
            if is_empty.get() {
                Either::Left(view! { <NoReminders list=list address=address query=query /> })
            } else {
                Either::Right(view! { <Table list=list address=address query=query /> })
            }
        }}
        <Pager address=address links=links has_days=has_days />
        <ExportLinks address=address list="reminders" />
        <p class="visually-hidden" role="status">{move || links.with(|links| links.shown.clone())}" "{texts.title()}</p>
    }
}

#[component]
fn ViewTabs(
    list: Signal<ReminderList>,
    address: Memo<ListAddress>,
    query: Memo<ReminderListQuery>,
) -> impl IntoView {
    let texts = ReminderTexts::here();
    let labels = [texts.today(), texts.coming(), texts.done_title()];
    let tab = |(view, label): (ReminderView, _)| Tab { value: value_of(view), label };
    let tabs = TABS.into_iter().zip(labels).map(tab).collect();
    let current = Signal::derive(move || query.with(|query| value_of(query.view)));
    let counts = Signal::derive(move || {
        list.with(|list| TABS.into_iter().map(|view| Some(counted(list.count(view)))).collect::<Vec<_>>())
    });
    view! { <Tabs address=address tabs=tabs current=current counts=counts /> }
}

/// Value of a tab in the URL; empty: the default.
fn value_of(view: ReminderView) -> &'static str {
    if view == TABS[0] { "" } else { view.as_str() }
}

/// Returns the links of the page, and the number of its rows and of all. A search is not counted.
fn page_links(list: &ReminderList, query: &ReminderListQuery) -> PageLinks {
    let (texts, shown) = (TableTexts::here(), grouped(list.page.items.len() as u64));
    let is_whole = query.q.is_none() && query.day.is_none();
    let total = counted(list.count(query.view));
    let shown = if is_whole { texts.shown_of(shown, total) } else { texts.shown(shown) };
    PageLinks { previous: list.page.previous_cursor.clone(), next: list.page.next_cursor.clone(), shown }
}

#[component]
fn Table(
    list: Signal<ReminderList>,
    address: Memo<ListAddress>,
    query: Memo<ReminderListQuery>,
) -> impl IntoView {
    let (texts, table_texts) = (ReminderTexts::here(), TableTexts::here());
    let items = move || list.with(|list| list.page.items.clone());
    let is_latest_first = Signal::derive(move || query.with(|query| query.is_latest_first));
    let table = NodeRef::<html::Table>::new();
    use_list_keys(table);
    view! {
        <table class="list-table" node_ref=table>
            <thead>
                <tr>
                    <th scope="col">{texts.reminder()}</th>
                    <th scope="col">{texts.state_head()}</th>
                    <TimeHeader address=address label=texts.when() is_latest_first=is_latest_first can_sort=Signal::stored(true) />
                    <th scope="col" class="actions">{table_texts.actions()}</th>
                </tr>
            </thead>
            <tbody><For each=items key=key children=move |row| view! { <ReminderTableRow row=row address=address /> } /></tbody>
        </table>
    }
}

/// Nothing to list: says why, and links to more.
#[component]
fn NoReminders(
    list: Signal<ReminderList>,
    address: Memo<ListAddress>,
    query: Memo<ReminderListQuery>,
) -> impl IntoView {
    let (texts, table_texts) = (ReminderTexts::here(), TableTexts::here());
    let query = query.get();
    let to_start = address.with(|address| address.start().to_string());
    let without_text = address.with(|address| address.start().with("q", "").to_string());
    if query.day.is_some() || query.cursor.is_some() {
        return view! {
            <Empty title=table_texts.nothing_from_here() hint=table_texts.nothing_from_here_hint()>
                <a class="button" href=to_start>{table_texts.to_start()}</a>
            </Empty>
        }
        .into_any();
    }
    if query.q.is_some() {
        return view! {
            <Empty title=texts.nothing_found() hint=texts.nothing_found_hint()>
                <a class="button" href=without_text>{texts.show_all()}</a>
            </Empty>
        }
        .into_any();
    }
    let title = match query.view {
        ReminderView::Today => texts.nothing_today(),
        ReminderView::Coming => texts.nothing_coming(),
        ReminderView::Done => texts.nothing_done(),
    };
    let has_coming = query.view == ReminderView::Today && list.with(|list| list.counts.coming > 0);
    view! {
        <Empty title=title hint=texts.lead()>
            {has_coming.then(|| view! { <a class="button" href="/reminders?state=coming">{texts.in_coming()}</a> })}
        </Empty>
    }
    .into_any()
}
