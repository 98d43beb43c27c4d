//! `/meetings/{id}`: what a meeting is, its actions, states, attendees, tasks and history.

mod actions;
mod details;
pub mod forms;
mod sentence;
mod series;
mod state_strip;
pub mod timeline;

use crate::{
    live::live_resource,
    meetings::{
        room_fns::list_rooms,
        server_fns::{MeetingWithSeries, find_meeting_with_series},
        state::StateMark,
    },
    presence::Presence,
    reminders::{about::RemindersAbout, meeting::MeetingReminders},
    server_fns::Refused,
    ui::{async_view::AsyncView, page::header::TabTitle, time::picker::CityList},
};
use actions::MeetingActions;
use details::{Attendees, Description, Facts, MeetingTasks};
use domain::{
    meetings::{MeetingRow, Room},
    reminders::Subject,
};
use leptos::prelude::*;
use leptos_router::hooks::use_params_map;
use sentence::Sentence;
use series::SeriesPanel;
use state_strip::StateStrip;
use texts::meetings::MeetingTexts;
use timeline::Timeline;

/// The page.
#[component]
pub fn MeetingPage() -> impl IntoView {
    let params = use_params_map();
    let id = Memo::new(move |_| params.with(|params| params.get("id").unwrap_or_default()));
    let meeting_id = id;
    let read = live_resource(
        move |change| {
            let is_it =
                || meeting_id.try_with_untracked(|id| *id == change.entity_id.to_string()) == Some(true);
            change.entity == "series" || (change.entity == "meeting" && is_it())
        },
        move || id.get(),
        find_meeting_with_series,
    );
    let rooms = Resource::new(|| (), |()| list_rooms(false));
    view! {
        <Presence id=id />
        <div class="task-page">
            <AsyncView from=read children=move |found| view! { <MeetingView found=found rooms=rooms /> } />
            <RemindersAbout subject=Subject::Meeting id=id />
        </div>
        <CityList />
    }
}

/// The meeting. A changed response replaces all but the forms that are in use.
#[component]
fn MeetingView(
    found: Signal<MeetingWithSeries>,
    rooms: Resource<Result<Vec<Room>, Refused>>,
) -> impl IntoView {
    let latest = Memo::new(move |_| found.get());
    let row = Memo::new(move |_| latest.with(|found| found.meeting.row.clone()));
    let id = Memo::new(move |_| row.with(|row| row.id));
    let title = move || row.with(|row| row.title.clone());
    view! {
        <TabTitle title=Signal::derive(title) />
        <header class="task-header">
            {move || view! { <Heading row=row.get() /> }}
            {move || {
                // Links lead to other meetings on the same page: their forms are new.
                id.track();
                view! { <MeetingActions latest=latest rooms=rooms /> }
            }}
            {move || view! { <WhyNoActions row=row.get() /> }}
        </header>
        {move || {
            let MeetingWithSeries { meeting, series } = latest.get();
            let id = meeting.row.id;
            view! {
                <StateStrip meeting=meeting.clone() />
                <Description text=meeting.description.clone() />
                <Facts row=meeting.row.clone() />
                {series.map(|series| view! { <SeriesPanel series=series id=id /> })}
                <Attendees
                    attendees=meeting.attendees.clone()
                    held_mails=meeting.held_mails.clone()
                    has_mail_server=meeting.has_mail_server
                />
                <MeetingReminders reminders=meeting.reminders.clone() />
                <MeetingTasks tasks=meeting.tasks.clone() />
                <Timeline meeting=meeting />
            }
        }}
    }
}

/// State, organizer, title and sentence.
#[component]
fn Heading(row: MeetingRow) -> impl IntoView {
    view! {
        <p class="row">
            <StateMark state=row.state />
            <span class="eyebrow"><bdi>{row.organizer.clone()}</bdi></span>
        </p>
        <h1 dir="auto">{row.title.clone()}</h1>
        <Sentence row=row />
    }
}

/// Says that the user may do nothing with an open meeting.
#[component]
fn WhyNoActions(row: MeetingRow) -> impl IntoView {
    let may_do_nothing = !(row.may_change || row.may_approve || row.may_check_in);
    (may_do_nothing && row.state.is_open())
        .then(|| view! { <p class="why">{MeetingTexts::here().not_yours()}</p> })
}
