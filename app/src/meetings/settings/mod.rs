//! `/settings/rooms`: the rooms and their settings. For admins.

mod door;
mod fields;

use crate::{
    live::live_resource,
    meetings::room_fns::{AddRoom, ArchiveRoom, EditRoom, OrderRoom, list_rooms},
    session::visitor,
    ui::{
        async_view::AsyncView,
        empty::Empty,
        form::{PlainForm, kept_view::KeptView, result_of},
        page::{
            header::PageHeader,
            settings_menu::{AdminsOnly, SettingsMenu},
        },
        result::flash::Flash,
    },
};
use domain::meetings::{Approval, Room, RoomSettings};
use door::{DoorForm, NewDoorNotice};
use fields::{FIELDS, RoomFields};
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;
use server_fn::ServerFn;
use texts::meetings::rooms::{RoomSettingsTexts, RoomTexts};

/// The rooms, the form of the one that the URL names, and the form for a new one.
#[component]
pub fn RoomsSettings() -> impl IntoView {
    let texts = RoomSettingsTexts::here();
    let body = if visitor().is_admin() {
        view! { <ForAdmins /> }.into_any()
    } else {
        view! { <AdminsOnly /> }.into_any()
    };
    let messages = vec![
        ("add", texts.added()),
        ("save", texts.saved()),
        ("archive", texts.was_archived()),
        ("restore", texts.was_restored()),
        ("order", texts.was_ordered()),
        ("revoke_door", texts.door_revoked()),
    ];
    view! {
        <PageHeader title=texts.title().to_owned() lead=texts.lead() />
        <SettingsMenu />
        <Flash messages=messages />
        <NewDoorNotice />
        {body}
    }
}

#[component]
fn ForAdmins() -> impl IntoView {
    let read = live_resource(|change| change.entity == "room", || (), |()| list_rooms(true));
    view! {
        <AsyncView from=read children=|rooms| view! { <Lists rooms=rooms /> } />
        <AddForm />
    }
}

#[component]
fn Lists(rooms: Signal<Vec<Room>>) -> impl IntoView {
    let texts = RoomSettingsTexts::here();
    let latest = Memo::new(move |_| rooms.get());
    let lists = move |rooms: Vec<Room>| {
        let (archived, current): (Vec<_>, Vec<_>) = rooms.into_iter().partition(|room| room.is_archived);
        let count = current.len();
        if count + archived.len() == 0 {
            return view! { <Empty title=texts.none() hint=texts.none_hint() /> }.into_any();
        }
        let rows = current.into_iter().enumerate().map(|(place, room)| {
            view! { <Row room=room is_first={place == 0} is_last={place + 1 == count} /> }
        });
        let rows = rows.collect_view();
        let archived = (!archived.is_empty()).then(|| {
            let rows =
                archived.into_iter().map(|room| view! { <Row room=room is_first=true is_last=true /> });
            view! {
                <section class="panel archived-rooms" aria-labelledby="archived">
                    <header><h2 id="archived">{texts.archived()}</h2></header>
                    <ul>{rows.collect_view()}</ul>
                </section>
            }
        });
        view! { <ul>{rows}</ul> {archived} }.into_any()
    };
    view! { <KeptView latest=latest children=lists /> }
}

/// One room: name, facts, and actions. The URL opens its form.
#[component]
fn Row(room: Room, is_first: bool, is_last: bool) -> impl IntoView {
    let (texts, room_texts, query) = (RoomSettingsTexts::here(), RoomTexts::here(), use_query_map());
    let id = room.id.to_string();
    let is_refused = result_of(EditRoom::PATH, Some(&id)).is_some();
    let own = id.clone();
    let is_open =
        Memo::new(move |_| is_refused || query.with(|query| query.get("edit").as_deref() == Some(&own)));
    let seats = room.settings.capacity.and_then(|seats| u32::try_from(seats).ok());
    let facts = [
        seats.map(|seats| room_texts.seats(seats)),
        Some(room.settings.place.clone()).filter(|place| !place.is_empty()),
        (room.settings.policy.approval == Approval::Required).then(|| room_texts.needs_approval().to_owned()),
    ];
    let facts: Vec<String> = facts.into_iter().flatten().collect();
    let (edited, name) = (room.clone(), room.settings.name.clone());
    let edit = format!("/settings/rooms?edit={id}");
    view! {
        <li class="room-settings-row" id=format!("room-{id}")>
            <div class="room-name">
                <a href=format!("/rooms/{id}") dir="auto">{name.clone()}</a>
                <span class="muted" dir="auto">{facts.join(" · ")}</span>
            </div>
            <div class="row">
                {(!is_first).then(|| view! { <OrderButton id=id.clone() is_up=true name=name.clone() /> })}
                {(!is_last).then(|| view! { <OrderButton id=id.clone() is_up=false name=name.clone() /> })}
                <a class="button small" href=edit aria-label=texts.of(texts.edit(), name.clone())>{texts.edit()}</a>
                <ArchiveButton room=room />
            </div>
            {move || is_open.get().then(|| view! { <EditForm room=edited.clone() /> })}
        </li>
    }
}

#[component]
fn OrderButton(id: String, is_up: bool, name: String) -> impl IntoView {
    let texts = RoomSettingsTexts::here();
    let (label, sign) = if is_up { (texts.up(), "↑") } else { (texts.down(), "↓") };
    view! {
        <PlainForm function=OrderRoom::PATH about=id.clone() class="inline">
            <input type="hidden" name="id" value=id />
            <input type="hidden" name="is_up" value=is_up.to_string() />
            <button class="button small" type="submit" aria-label=texts.of(label, name) title=label>{sign}</button>
        </PlainForm>
    }
}

#[component]
fn ArchiveButton(room: Room) -> impl IntoView {
    let texts = RoomSettingsTexts::here();
    let label = if room.is_archived { texts.restore() } else { texts.archive() };
    let id = room.id.to_string();
    view! {
        <PlainForm function=ArchiveRoom::PATH about=id.clone() class="inline">
            <input type="hidden" name="id" value=id />
            <input type="hidden" name="seen" value=room.version.0 />
            <input type="hidden" name="is_archived" value=(!room.is_archived).to_string() />
            <button class="button small" type="submit" aria-label=texts.of(label, room.settings.name)>{label}</button>
        </PlainForm>
    }
}

#[component]
fn EditForm(room: Room) -> impl IntoView {
    let texts = RoomSettingsTexts::here();
    let (id, title) = (room.id.to_string(), texts.edit_title(room.settings.name.clone()));
    let door = id.clone();
    view! {
        <section class="settings edit-room" aria-label=title>
            <PlainForm function=EditRoom::PATH about=id.clone() fields=FIELDS class="stack">
                <input type="hidden" name="id" value=id />
                <input type="hidden" name="seen" value=room.version.0 />
                <RoomFields path=EditRoom::PATH settings=room.settings prefix="edit" />
                <p class="row">
                    <button class="button main" type="submit">{texts.save()}</button>
                    <a class="button bare" href="/settings/rooms">{texts.close()}</a>
                </p>
            </PlainForm>
            <DoorForm id=door />
        </section>
    }
}

#[component]
fn AddForm() -> impl IntoView {
    let texts = RoomSettingsTexts::here();
    let settings = RoomSettings { zone: Some(visitor().desk.zone), ..RoomSettings::default() };
    view! {
        <section class="panel settings add-channel" aria-labelledby="add">
            <header><h2 id="add">{texts.add_title()}</h2></header>
            <PlainForm function=AddRoom::PATH fields=FIELDS class="stack">
                <RoomFields path=AddRoom::PATH settings=settings prefix="add" />
                <p><button class="button main" type="submit">{texts.add()}</button></p>
            </PlainForm>
        </section>
    }
}
