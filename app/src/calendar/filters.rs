//! The filters and the time zone: a GET form.

use super::{
    item::kind_word,
    request::{CalendarRequest, DATE, DESK, ME, VIEW, WEEK, ZONE, link_with, without_filters},
    server_fns::{CalendarBoard, FilterChoices},
};
use crate::{
    server_fns::Refused,
    session::visitor,
    ui::{table::address::ListAddress, time::picker::zone_as_typed},
};
use domain::{
    articles::details::MAX_TAG_CHARS,
    calendar::{CalendarStatus, MEETING},
};
use leptos::prelude::*;
use leptos_router::components::Form;
use texts::calendar::CalendarTexts;
use texts::{language, time::place};

/// What the filters offer, once it is loaded.
pub type Choices = Resource<Result<FilterChoices, Refused>>;

/// The time zone, and behind it the form, folded unless something is chosen, with the time zones of the user
/// and the desk.
#[component]
pub fn Filters(
    /// The board.
    board: Signal<CalendarBoard>,
    /// The URL of the calendar.
    address: Memo<ListAddress>,
    /// What the URL means.
    request: Memo<CalendarRequest>,
    /// What the filters offer.
    choices: Choices,
) -> impl IntoView {
    let texts = CalendarTexts::here();
    let zone = Memo::new(move |_| board.with(|board| board.page.zone.clone()));
    let kinds = Memo::new(move |_| board.with(|board| board.page.kinds.clone()));
    let is_open = request.with_untracked(CalendarRequest::is_filtered);
    let hidden = move || {
        let fields = address.with(|address| [VIEW, DATE].map(|name| (name, address.get(name))));
        let fields = fields.into_iter().filter_map(|(name, value)| Some((name, value?)));
        fields.map(|(name, value)| view! { <input type="hidden" name=name value=value /> }).collect_view()
    };
    let clear = move || address.with(without_filters);
    view! {
        <div class="calendar-zone">
            <details class="calendar-filters" open=is_open>
                <summary class="button small" title=move || texts.in_zone(place(language(), &zone.get()))>
                    {texts.filters()}<span class="zone-name">" · "{move || place(language(), &zone.get())}</span>
                </summary>
                <OwnZones address=address request=request />
                <Form method="GET" action="/calendar" attr:class="fields">
                    {hidden}
                    <Transition fallback=|| ()>
                        {move || Suspend::new(async move {
                            let choices = choices.await.unwrap_or_default();
                            move || view! { <Selects request=request.get() kinds=kinds.get() choices=choices.clone() /> }
                        })}
                    </Transition>
                    <div class="field">
                        <label for="calendar-zone">{texts.zone()}</label>
                        <input id="calendar-zone" name=ZONE type="text" list="cities" maxlength="64" autocomplete="off"
                            value=move || request.with(|request| request.zone.as_ref().map(|_| zone_as_typed(&zone.get()))) />
                    </div>
                    <button class="button" type="submit">{texts.apply()}</button>
                    {move || request.with(CalendarRequest::is_filtered).then(|| view! { <a class="button bare" href=clear>{texts.clear()}</a> })}
                </Form>
            </details>
        </div>
    }
}

/// Links to the user's time zone and the desk's, if they differ.
#[component]
fn OwnZones(address: Memo<ListAddress>, request: Memo<CalendarRequest>) -> impl IntoView {
    let (texts, visitor) = (CalendarTexts::here(), visitor());
    let (mine, desk) = (visitor.zone().to_owned(), visitor.desk.zone.clone());
    let link = move |value: &'static str, label: String| {
        let href = move || address.with(|address| link_with(address, ZONE, value));
        let current = move || {
            request.with(|request| request.zone.as_deref().unwrap_or_default() == value).then_some("true")
        };
        view! { <a class="chip" href=href data-noscroll="" aria-current=current>{label}</a> }
    };
    (mine != desk).then(|| {
        view! {
            <p class="row">
                {link("", texts.my_zone(place(language(), &mine)))}
                {link(DESK, texts.desk_zone(place(language(), &desk)))}
            </p>
        }
    })
}

#[component]
fn Selects(request: CalendarRequest, kinds: Vec<String>, choices: FilterChoices) -> impl IntoView {
    let texts = CalendarTexts::here();
    let text = |value: &str| value.to_owned();
    let kinds = kinds.into_iter().map(|kind| (kind.clone(), text(kind_word(&kind))));
    let kinds = kinds.chain([(text(MEETING), text(texts.meetings()))]);
    let kinds = [(String::new(), text(texts.all_kinds()))].into_iter().chain(kinds).collect();
    let states =
        CalendarStatus::ALL.iter().map(|status| (text(status.as_str()), text(texts.status(*status))));
    let states = [(String::new(), text(texts.not_cancelled()))].into_iter().chain(states).collect();
    let me = visitor().account.map(|account| account.id.to_string());
    let others = choices.people.into_iter().filter(|(id, _)| Some(id) != me.as_ref());
    let owners = [(text(""), text(texts.everyone())), (text(ME), text(texts.mine()))];
    let owners = owners.into_iter().chain(others).collect();
    let any = |label: &str, some: Vec<(String, String)>| {
        (!some.is_empty()).then(|| [(text(""), text(label))].into_iter().chain(some).collect::<Vec<_>>())
    };
    let rooms = any(texts.all_rooms(), choices.rooms);
    let channels = any(texts.all_channels(), choices.channels);
    let (room, channel) = (request.room.unwrap_or_default(), request.channel.unwrap_or_default());
    let weeks = [("", texts.monday()), ("sun", texts.sunday()), ("sat", texts.saturday())];
    let weeks = weeks.map(|(value, label)| (text(value), text(label))).to_vec();
    let week = match request.first_weekday {
        5 => "sat",
        6 => "sun",
        _ => "",
    };
    let status = request.status.map(CalendarStatus::as_str).unwrap_or_default();
    view! {
        <Choice name="kind" label=texts.kind() options=kinds chosen=request.kind.unwrap_or_default() />
        <Choice name="state" label=texts.state() options=states chosen=text(status) />
        <Choice name="owner" label=texts.owner() options=owners chosen=request.owner.unwrap_or_default() />
        {rooms.map(|rooms| view! { <Choice name="room" label=texts.room() options=rooms chosen=room /> })}
        {channels.map(|channels| view! { <Choice name="channel" label=texts.channel() options=channels chosen=channel /> })}
        <div class="field">
            <label for="calendar-tag">{texts.tag()}</label>
            <input id="calendar-tag" name="tag" type="text" maxlength=MAX_TAG_CHARS.to_string() value=request.tag />
        </div>
        <Choice name=WEEK label=texts.week_start() options=weeks chosen=text(week) />
    }
}

#[component]
fn Choice(
    name: &'static str,
    label: &'static str,
    options: Vec<(String, String)>,
    chosen: String,
) -> impl IntoView {
    let id = format!("calendar-{name}");
    let options = options.into_iter().map(|(value, label)| {
        let is_chosen = value == chosen;
        view! { <option value=value selected=is_chosen>{label}</option> }
    });
    view! {
        <div class="field">
            <label for=id.clone()>{label}</label>
            <select id=id name=name>{options.collect_view()}</select>
        </div>
    }
}
