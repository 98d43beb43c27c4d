//! The form that finds a free room. A GET form, so that it works without JavaScript.

use crate::{
    meetings::room_fns::{FoundRooms, RoomSearch},
    ui::{icon::Icon, table::address::ListAddress},
};
use domain::meetings::FreeRoom;
use leptos::prelude::*;
use leptos_router::components::Form;
use texts::meetings::span::span_here;
use texts::{language, meetings::rooms::RoomTexts};

/// Returns the question that the URL means; `None`: there is none.
pub(super) fn search_of(address: &ListAddress) -> Option<RoomSearch> {
    let (start, end) = (address.get("start")?, address.get("end")?);
    let (date, people) = (address.get("date")?, address.get("people").unwrap_or_default());
    let equipment = address.get("equipment").unwrap_or_default();
    Some(RoomSearch { date, start, end, people, equipment })
}

/// The form. `date`: the shown day; `equipment`: what the rooms have.
#[component]
pub(super) fn FindForm(address: Memo<ListAddress>, date: String, equipment: Vec<String>) -> impl IntoView {
    let texts = RoomTexts::here();
    let value =
        move |name: &'static str| move || address.with(|address| address.get(name)).unwrap_or_default();
    let is_open = address.with_untracked(search_of).is_some();
    let field = move |name: &'static str, label: &'static str, kind: &'static str| {
        let id = format!("find-{name}");
        let is_optional = matches!(name, "people" | "equipment");
        let min = (name == "people").then_some("1");
        let list = (name == "equipment").then_some("find-known");
        view! {
            <div class="field">
                <label for=id.clone()>{label}</label>
                <input id=id name=name type=kind min=min list=list required=!is_optional value=value(name) />
            </div>
        }
    };
    view! {
        <details class="find-room" open=is_open>
            <summary class="button small"><Icon name="search" />{texts.find_title()}</summary>
            <Form method="GET" action="/rooms" attr:class="fields">
                <div class="field">
                    <label for="find-date">{texts.date()}</label>
                    <input id="find-date" name="date" type="date" required value=date />
                </div>
                {field("start", texts.from(), "time")}
                {field("end", texts.to(), "time")}
                {field("people", texts.people(), "number")}
                {field("equipment", texts.equipment(), "text")}
                <datalist id="find-known">
                    {equipment.into_iter().map(|one| view! { <option value=one></option> }).collect_view()}
                </datalist>
                <button class="button" type="submit">{texts.find()}</button>
            </Form>
        </details>
    }
}

/// The rooms that are free, each with a link to the form.
#[component]
pub(super) fn Found(found: Signal<Option<FoundRooms>>, address: Memo<ListAddress>) -> impl IntoView {
    let texts = RoomTexts::here();
    let search = address.with_untracked(search_of).unwrap_or_default();
    move || {
        let found = found.get()?;
        let when = span_here(language(), found.start, found.end);
        if found.rooms.is_empty() {
            return Some(
                view! { <p class="notice warn" role="status">{texts.found_none(when)}</p> }.into_any(),
            );
        }
        let link = |free: FreeRoom| {
            let RoomSearch { date, start, end, .. } = search.clone();
            let href = format!("/meetings/new?room={}&date={date}&start={start}&end={end}", free.room.id);
            let name = free.room.settings.name;
            let seats = free.room.settings.capacity.and_then(|seats| u32::try_from(seats).ok());
            view! {
                <li><a class="button" href=href>{texts.book(name)}{seats.map(|seats| format!(" · {}", texts.seats(seats)))}</a></li>
            }
        };
        let links = found.rooms.into_iter().map(link).collect_view();
        Some(
            view! {
                <section class="found-rooms" role="status"><p>{texts.found(when)}</p><ul>{links}</ul></section>
            }
            .into_any(),
        )
    }
}
