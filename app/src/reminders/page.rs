//! `/reminders`: the form, today's reminders, those that come, and those that are done. The
//! parameter `edit` opens the form of a reminder.

use crate::{
    live::live_resource,
    reminders::{
        form::ReminderForm,
        result::announce_reminder,
        row::{ROW_FORM, ReminderRow},
        server_fns::{ActOnReminder, ReminderLists, list_reminders},
        texts::ReminderTexts,
    },
    ui::{async_view::AsyncView, form::Form, page_header::PageHeader},
};
use domain::reminders::Reminder;
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;

/// The page.
#[component]
pub fn Reminders() -> impl IntoView {
    let texts = ReminderTexts::here();
    let read = live_resource(
        |change| {
            change.entity == "account" && change.verb == "notify"
                || change.entity == "task" && matches!(change.verb.as_str(), "execute" | "fail")
        },
        || (),
        |()| list_reminders(),
    );
    let act = ServerAction::<ActOnReminder>::new();
    announce_reminder(act);
    view! {
        <PageHeader title=texts.title().to_owned() lead=texts.lead() />
        <Form action=act id=ROW_FORM>""</Form>
        <AsyncView from=read children=move |lists| view! { <Parts lists=lists /> } />
    }
}

#[component]
fn Parts(lists: Signal<ReminderLists>) -> impl IntoView {
    let texts = ReminderTexts::here();
    let part = move |of: fn(&ReminderLists) -> &Vec<Reminder>| {
        Signal::derive(move || lists.with(|lists| of(lists).clone()))
    };
    let has_more = Memo::new(move |_| lists.with(|lists| lists.has_more));
    view! {
        <FormSection lists=lists />
        <Part id="today" title=texts.today() empty=texts.nothing_today() rows=part(|lists| &lists.today) />
        <Part id="coming" title=texts.coming() empty=texts.nothing_coming() rows=part(|lists| &lists.coming) />
        {move || has_more.get().then(|| view! { <p class="hint">{texts.more()}</p> })}
        <Part id="done" title=texts.done_title() empty=texts.nothing_done() rows=part(|lists| &lists.done) />
    }
}

/// The form for a new reminder, or for the one that the URL names.
#[component]
fn FormSection(lists: Signal<ReminderLists>) -> impl IntoView {
    let (texts, query) = (ReminderTexts::here(), use_query_map());
    let edited = Memo::new(move |_| query.with(|query| query.get("edit")));
    move || {
        // Live updates of the lists do not replace what the user types.
        let lists = lists.get_untracked();
        let reminder = edited.get().and_then(|id| {
            let all = [&lists.today, &lists.coming];
            all.into_iter().flatten().find(|one| one.id.to_string() == id && one.may_change).cloned()
        });
        let title = if reminder.is_some() { texts.edit_title() } else { texts.new_title() };
        view! {
            <section class="panel" aria-labelledby="form-title">
                <header><h2 id="form-title">{title}</h2></header>
                <ReminderForm lists=lists reminder=reminder />
            </section>
        }
    }
}

#[component]
fn Part(
    id: &'static str,
    title: &'static str,
    empty: &'static str,
    rows: Signal<Vec<Reminder>>,
) -> impl IntoView {
    let latest = Memo::new(move |_| rows.get());
    let key = |row: &Reminder| (row.id, row.version, row.state);
    view! {
        <section class="panel" aria-labelledby=id>
            <header><h2 id=id>{title}</h2></header>
            {move || latest.with(Vec::is_empty).then(|| view! { <p class="muted">{empty}</p> })}
            <ul class="reminder-list">
                <For each=move || latest.get() key=key children=move |row| view! { <ReminderRow row=row /> } />
            </ul>
        </section>
    }
}
