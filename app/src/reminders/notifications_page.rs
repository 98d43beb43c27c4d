//! `/notifications`: the notifications of the user.

use crate::{
    live::live_resource,
    reminders::{
        bell::unread,
        notification_fns::{MarkAllRead, UndoNotified, list_notifications},
        push::PushSection,
    },
    session::visitor,
    ui::{
        async_view::AsyncView,
        empty::Empty,
        form::{Form, PlainForm},
        page::header::PageHeader,
        result::flash::Flash,
        time::date_time::DateTime,
    },
};
use domain::reminders::{Notification, NotificationList, NotificationUndo};
use leptos::{either::Either, prelude::*};
use server_fn::ServerFn as _;
use texts::reminders::{ReminderTexts, push::PushTexts};

/// The page.
#[component]
pub fn Notifications() -> impl IntoView {
    let texts = ReminderTexts::here();
    let own = visitor().account.map(|account| account.id.0);
    let read = live_resource(
        move |change| change.entity == "account" && Some(change.entity_id) == own,
        || (),
        |()| list_notifications(),
    );
    let action = ServerAction::<MarkAllRead>::new();
    let unread = unread();
    let has_unread = Memo::new(move |_| unread.get() > 0);
    let mark = move || {
        has_unread.get().then(|| {
            view! {
                <Form action=action class="inline">
                    <button class="button" type="submit">{texts.mark_all_read()}</button>
                </Form>
            }
        })
    };
    view! {
        <PageHeader title=texts.notifications().to_owned()>
            {mark}
            <a class="button" href="/settings/notifications">{texts.choose_notifications()}</a>
        </PageHeader>
        <Flash messages=vec![
            ("push-removed", PushTexts::here().removed()),
            ("undo", texts.undone()),
        ] />
        <AsyncView from=read children=|list| view! { <List list=list /> } />
        <PushSection />
    }
}

#[component]
fn List(list: Signal<NotificationList>) -> impl IntoView {
    let texts = ReminderTexts::here();
    let latest = Memo::new(move |_| list.get());
    move || {
        let items = latest.get().items;
        if items.is_empty() {
            let (title, hint) = (texts.no_notifications(), texts.no_notifications_hint());
            return Either::Left(view! { <Empty title=title hint=hint /> });
        }
        let items = items.into_iter().map(|one| view! { <Item one=one /> }).collect_view();
        Either::Right(view! { <ul class="reminder-list notification-list">{items}</ul> })
    }
}

#[component]
fn Item(one: Notification) -> impl IntoView {
    let texts = ReminderTexts::here();
    view! {
        <li class="reminder notification" class:unread=!one.is_read>
            <div class="what">
                <a class="title" dir="auto" href=one.link>{one.text}</a>
                <p class="meta">
                    <DateTime at=one.created />
                    {(!one.is_read).then(|| view! { <span class="is-unread">{texts.unread()}</span> })}
                </p>
            </div>
            {one.undo.map(|undo| view! { <UndoForm undo=undo /> })}
        </li>
    }
}

/// Reverts the change that a notification notifies of.
#[component]
fn UndoForm(undo: NotificationUndo) -> impl IntoView {
    let id = undo.id.to_string();
    view! {
        <PlainForm function=UndoNotified::PATH about=id.clone() class="inline">
            <input type="hidden" name="thing" value=undo.thing.as_str() />
            <input type="hidden" name="id" value=id />
            <input type="hidden" name="seen" value=undo.version.0.to_string() />
            <button class="button small" type="submit">{ReminderTexts::here().undo()}</button>
        </PlainForm>
    }
}
