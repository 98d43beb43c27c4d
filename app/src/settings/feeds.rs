//! `/settings/feeds`: addresses under which calendar programs read meetings and scheduled articles.

use super::feed_fns::{CreateFeed, RevokeFeed, list_feeds, new_feed};
use crate::{
    meetings::room_fns::list_rooms,
    ui::{
        async_view::AsyncView,
        copy_button::CopyButton,
        empty::Empty,
        form::{PlainForm, refusal_of, typed},
        page::{header::PageHeader, settings_menu::SettingsMenu},
        result::flash::Flash,
        time::date_time::Relative,
    },
};
use domain::{
    calendar::{Feed, FeedKind},
    meetings::Room,
};
use leptos::prelude::*;
use server_fn::ServerFn;
use texts::settings::feeds::FeedTexts;

/// The feeds, and the form for a new one.
#[component]
pub fn Feeds() -> impl IntoView {
    let texts = FeedTexts::here();
    let feeds = Resource::new(|| (), |()| list_feeds());
    let rooms = Resource::new(|| (), |()| list_rooms(false));
    let created = Resource::new(|| (), |()| new_feed());
    view! {
        <PageHeader title=texts.title().to_owned() lead=texts.lead() />
        <SettingsMenu />
        <Flash messages=vec![("revoke", texts.revoked())] />
        <Suspense>
            {move || Suspend::new(async move {
                created.await.ok().flatten().map(|url| view! { <NewAddress url=url /> })
            })}
        </Suspense>
        <div class="stack settings">
            <AsyncView from=rooms let:rooms>
                {move || view! { <NewFeedForm rooms=rooms.get() /> }}
            </AsyncView>
            <AsyncView from=feeds let:feeds>
                {move || view! { <List feeds=feeds.get() /> }}
            </AsyncView>
        </div>
    }
}

#[component]
fn NewAddress(url: String) -> impl IntoView {
    let texts = FeedTexts::here();
    let copied = url.clone();
    view! {
        <section class="notice good new-secret" role="status">
            <p>{texts.ready()}</p>
            <p class="row"><code class="secret" tabindex="0">{url}</code> <CopyButton text=copied /></p>
        </section>
    }
}

#[component]
fn NewFeedForm(rooms: Vec<Room>) -> impl IntoView {
    let texts = FeedTexts::here();
    let path = CreateFeed::PATH;
    let chosen = typed(path, "what").unwrap_or_else(|| FeedKind::Person.as_str().to_owned());
    let option = move |value: String, name: String| {
        let is_chosen = value == chosen;
        view! { <option value=value selected=is_chosen>{name}</option> }
    };
    let rooms = rooms
        .into_iter()
        .map(|room| option(format!("room.{}", room.id), texts.of_room(room.settings.name)))
        .collect_view();
    let problem = refusal_of(path).map(|_| view! { <p class="error" role="alert">{texts.refused()}</p> });
    view! {
        <PlainForm function=path fields={&["kind"]} class="stack">
            <div class="field">
                <label for="what">{texts.what()}</label>
                <select id="what" name="what">
                    {option(FeedKind::Person.as_str().to_owned(), texts.person().to_owned())}
                    {option(FeedKind::Desk.as_str().to_owned(), texts.desk().to_owned())}
                    {rooms}
                </select>
                <span class="hint">{texts.hint()}</span>
                {problem}
            </div>
            <p><button class="button main" type="submit">{texts.create()}</button></p>
        </PlainForm>
    }
}

#[component]
fn List(feeds: Vec<Feed>) -> impl IntoView {
    let texts = FeedTexts::here();
    if feeds.is_empty() {
        return view! { <Empty title=texts.none() hint=texts.none_hint() /> }.into_any();
    }
    let rows = feeds.into_iter().map(|feed| view! { <Row feed=feed /> }).collect_view();
    view! { <ul class="token-list">{rows}</ul> }.into_any()
}

#[component]
fn Row(feed: Feed) -> impl IntoView {
    let texts = FeedTexts::here();
    let name = texts.name(feed.kind, feed.room);
    let label = texts.revoke_of(name.clone());
    let read = feed.read_at.map(|at| view! { <Relative at=at /> });
    view! {
        <li class="session-row">
            <span class="session-agent">{name}</span>
            <span class="muted">
                {texts.created()} " " <Relative at=feed.created_at /> " · " {texts.read()} " "
                {match read {
                    Some(read) => read.into_any(),
                    None => texts.never().into_any(),
                }}
            </span>
            <PlainForm function=RevokeFeed::PATH class="inline">
                <input type="hidden" name="id" value=feed.id.to_string() />
                <button class="button small danger" type="submit" aria-label=label>{texts.revoke()}</button>
            </PlainForm>
        </li>
    }
}
