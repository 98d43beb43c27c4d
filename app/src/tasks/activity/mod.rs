//! `/activity`: who did what, newest first, by person and item.

pub mod server_fns;
mod verbs;

use crate::{
    live::live_resource,
    session::visitor,
    ui::{
        async_view::AsyncView, empty::Empty, page::header::PageHeader, table::address::ListAddress,
        time::date_time::DateTime,
    },
};
use domain::{
    activity::{ActivityEntry, ActivitySubject},
    event::Event,
};
use leptos::{either::Either, prelude::*};
use leptos_router::components::Form;
use serde_json::Value;
use server_fns::{ActivityFilter, ActivityList, list_activity};
use texts::language;
use texts::tasks::activity::ActivityTexts;

/// Parameters of the URL.
const PERSON: &str = "person";
const ITEM: &str = "item";
const ENGINE: &str = "engine";
const CURSOR: &str = "cursor";

/// The page.
#[component]
pub fn Activity() -> impl IntoView {
    let texts = ActivityTexts::here();
    let address = ListAddress::here();
    let filter = Memo::new(move |_| address.with(filter_of));
    let read = live_resource(
        // A later page stays as it is.
        move |_| filter.try_with_untracked(|filter| filter.cursor.is_none()) == Some(true),
        move || filter.get(),
        list_activity,
    );
    view! {
        <PageHeader title=texts.title().to_owned() lead=texts.lead() />
        <AsyncView from=read children=move |list| view! { <List list=list address=address filter=filter /> } />
    }
}

/// Returns the filter that the URL means.
fn filter_of(address: &ListAddress) -> ActivityFilter {
    ActivityFilter {
        person: address.get(PERSON),
        item: address.get(ITEM),
        with_engine: address.get(ENGINE).is_some(),
        cursor: address.get(CURSOR),
    }
}

#[component]
fn List(
    list: Signal<ActivityList>,
    address: Memo<ListAddress>,
    filter: Memo<ActivityFilter>,
) -> impl IntoView {
    let texts = ActivityTexts::here();
    let entries = Memo::new(move |_| list.with(|list| list.page.items.clone()));
    let next = move || {
        let cursor = list.with(|list| list.page.next_cursor.clone())?;
        Some(address.with(|address| address.start().with(CURSOR, &cursor).to_string()))
    };
    let start = move || {
        let is_later = filter.with(|filter| filter.cursor.is_some());
        is_later.then(|| address.with(|address| address.start().to_string()))
    };
    view! {
        <Filters list=list filter=filter />
        {move || entries.with(Vec::is_empty).then(|| view! { <Empty title=texts.none() hint=texts.none_hint() /> })}
        <ol class="timeline">
            <For each=move || entries.get() key=|entry| (entry.event.seq, entry.subject.title.clone()) children=|entry| view! { <Entry entry=entry /> } />
        </ol>
        {move || (start().is_some() || next().is_some()).then(|| view! {
            <nav class="pager" aria-label=texts.title()>
                {start().map(|href| view! { <a class="button small" href=href>{texts.newest()}</a> })}
                {next().map(|href| view! { <a class="button small" href=href rel="next">{texts.earlier()}</a> })}
            </nav>
        })}
    }
}

/// By person, and whether the engine is shown. Of one item, a way to all.
#[component]
fn Filters(list: Signal<ActivityList>, filter: Memo<ActivityFilter>) -> impl IntoView {
    let texts = ActivityTexts::here();
    // Live updates of the list do not replace what the user chooses.
    let all = Memo::new(move |_| list.with(|list| list.people.clone()));
    let chosen = Memo::new(move |_| filter.with(|filter| filter.person.clone()));
    let people = move || {
        let chosen = chosen.get();
        let option = |(id, name): (String, String)| {
            let is_chosen = chosen.as_deref() == Some(id.as_str());
            let name = if name.is_empty() { texts.someone().to_owned() } else { name };
            view! { <option value=id selected=is_chosen>{name}</option> }
        };
        all.get().into_iter().map(option).collect_view()
    };
    let is_on = move || filter.with(|filter| filter.with_engine);
    let item = Memo::new(move |_| filter.with(|filter| filter.item.clone()));
    view! {
        <Form method="GET" action="/activity" attr:class="fields filters">
            {move || item.get().map(|item| view! { <input type="hidden" name=ITEM value=item /> })}
            <div class="field">
                <label for="activity-person">{texts.person()}</label>
                <select id="activity-person" name=PERSON>
                    <option value="">{texts.anyone()}</option>
                    {people}
                </select>
            </div>
            <label class="choice">
                <input type="checkbox" name=ENGINE value="1" checked=is_on prop:checked=is_on />
                {texts.with_engine()}
            </label>
            <button type="submit" class="button">{texts.show()}</button>
        </Form>
        {move || item.get().map(|_| view! {
            <p class="hint">{texts.one_item()}" "<a href="/activity">{texts.all_items()}</a></p>
        })}
    }
}

/// When it happened, what it is about, and what was done.
#[component]
fn Entry(entry: ActivityEntry) -> impl IntoView {
    let texts = ActivityTexts::here();
    let sentence = verbs::sentence(language(), &entry);
    let page = page_of(&entry);
    let ActivityEntry { event, subject, starts, .. } = entry;
    // The title of a reminder is always the same: its text is private.
    let is_named = !subject.title.is_empty() && subject.kind != "reminder";
    let name = if is_named { subject.title } else { texts.noun(&subject.kind) };
    let title = match page {
        Some(href) => Either::Left(view! { <a class="title" dir="auto" href=href>{name}</a> }),
        None => Either::Right(view! { <span class="title" dir="auto">{name}</span> }),
    };
    let due = event.due.or(starts).map(|due| view! { " · " <DateTime at=due /> });
    view! {
        <li>
            <DateTime at=event.at />
            <span>{title}" "<span class="detail">{sentence}{due}</span></span>
        </li>
    }
}

/// The page of what an event is about, or of its task; `None`: there is none, or it no longer exists.
fn page_of(entry: &ActivityEntry) -> Option<String> {
    let ActivitySubject { kind, id, title } = &entry.subject;
    let of_task = || entry.kind.and_then(|_| task_of(&entry.event)).map(|task| format!("/tasks/{task}"));
    let path = match kind.as_str() {
        _ if title.is_empty() => return of_task(),
        "article" => format!("/articles/{id}"),
        "meeting" => format!("/meetings/{id}"),
        "room" => format!("/rooms/{id}"),
        "release" => format!("/releases/{id}"),
        "rule" => format!("/rules/{id}"),
        "message" => format!("/messages/{id}"),
        "channel" => format!("/settings/channels/{id}"),
        "account" if visitor().is_admin() => "/settings/people".to_owned(),
        "account" => "/settings/profile".to_owned(),
        _ => return of_task(),
    };
    Some(path)
}

/// Id of the task of an event; `None`: it is not in the event. What a user did with a message has the id of
/// the delivery.
fn task_of(event: &Event) -> Option<String> {
    match event.detail.get("task_id").and_then(Value::as_str) {
        Some(task) if event.entity == "delivery" => Some(task.to_owned()),
        None if event.entity == "delivery" && event.actor_id.is_some() => None,
        _ => Some(event.entity_id.to_string()),
    }
}
