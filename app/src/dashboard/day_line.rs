//! The day as a time line: its hours, what was done, what is to come, what needs a person, and now.

use super::server_fns::DayPlan;
use crate::{live::live, session::visitor};
use domain::{
    Timestamp,
    calendar::{CalendarDay, CalendarItem, CalendarStatus},
    time::wall_clock_time,
};
use leptos::prelude::*;
use texts::dashboard::DashboardTexts;
use texts::{language, time::place};

/// Hours between two labels.
const LABEL_HOURS: u32 = 3;
/// Rows for items that are close together.
const ROWS: usize = 3;
/// Two items that are closer than this part of the day, in percent, are in different rows.
const CLOSE: f64 = 1.2;

/// The time line. It repeats the lists of the page for the eye; readers of the page get the sentence.
#[component]
pub fn DayLine(
    /// The plan.
    plan: Signal<DayPlan>,
) -> impl IntoView {
    let texts = DashboardTexts::here();
    let sentence = move || {
        plan.with(|plan| {
            let count = |status| plan.today.items.iter().filter(|item| item.status == status).count();
            let coming = count(CalendarStatus::Upcoming) + count(CalendarStatus::Running);
            texts.day_sentence(count(CalendarStatus::Done), coming, plan.today.attention)
        })
    };
    view! {
        <figure class="day-line">
            <figcaption>{sentence}</figcaption>
            <svg width="100%" height="76" aria-hidden="true">
                {move || plan.with(hours)}
                {move || plan.with(|plan| items(&plan.today))}
                <Now plan=plan />
            </svg>
        </figure>
    }
}

/// Place of a moment on the line, in percent of the day.
fn percent(day: &CalendarDay, at: Timestamp) -> f64 {
    let (length, passed) = (day.ends_at.since(day.begins_at), at.since(day.begins_at));
    #[expect(clippy::cast_precision_loss, reason = "milliseconds of a day")]
    let percent = passed as f64 * 100.0 / length.max(1) as f64;
    percent.clamp(0.0, 100.0)
}

fn x(percent: f64) -> String {
    format!("{percent:.2}%")
}

/// The axis, and the labels of its hours: those of the user above, those of the desk below.
fn hours(plan: &DayPlan) -> AnyView {
    let day = &plan.today;
    let labels = day.hours.iter().filter_map(|hour| {
        let wall = wall_clock_time(hour.begins_at, hour.offset);
        (wall.minute == 0 && wall.hour.is_multiple_of(LABEL_HOURS)).then(|| {
            let at = percent(day, hour.begins_at);
            let desk = plan.desk_offset.map(|offset| {
                let wall = wall_clock_time(hour.begins_at, offset);
                view! { <text class="desk" x=x(at) y="74">{format!("{:02}:{:02}", wall.hour, wall.minute)}</text> }
            });
            let is_odd = !wall.hour.is_multiple_of(2 * LABEL_HOURS);
            view! {
                <g class:odd=is_odd>
                    <line x1=x(at) x2=x(at) y1="16" y2="60" />
                    <text x=x(at) y="11">{format!("{:02}", wall.hour)}</text>
                    {desk}
                </g>
            }
        })
    });
    let labels = labels.collect_view();
    view! { <line class="axis" x1="0" x2="100%" y1="60" y2="60" />{labels} }.into_any()
}

/// The items: a circle each, a line for the length of a meeting.
fn items(day: &CalendarDay) -> AnyView {
    // End of the last item of each row, in percent.
    let mut rows = [f64::MIN; ROWS];
    let shapes = day.items.iter().map(|item| {
        let at = percent(day, item.at);
        let end = item.ends_at.map_or(at, |end| percent(day, end));
        let free = rows.iter().position(|last| at - last >= CLOSE).unwrap_or(ROWS - 1);
        rows[free] = end;
        shape(item, at, end, 52 - 13 * free)
    });
    shapes.collect_view().into_any()
}

fn shape(item: &CalendarItem, at: f64, end: f64, y: usize) -> impl IntoView + use<> {
    let y = y.to_string();
    let class = match item.status {
        CalendarStatus::Upcoming => "upcoming",
        CalendarStatus::Running => "running",
        CalendarStatus::Done => "done",
        CalendarStatus::Attention => "attention",
        CalendarStatus::Cancelled => "cancelled",
    };
    let length =
        (end > at).then(|| view! { <line class="length" x1=x(at) x2=x(end) y1=y.clone() y2=y.clone() /> });
    let mark = if item.status == CalendarStatus::Attention {
        view! { <text class="cross" x=x(at) y=y dy="5">"✕"</text> }.into_any()
    } else {
        view! { <circle cx=x(at) cy=y r="4.5" /> }.into_any()
    };
    view! { <g class=class>{length}{mark}</g> }
}

/// The present, which moves on each minute.
#[component]
fn Now(plan: Signal<DayPlan>) -> impl IntoView {
    let now = live().now();
    let minute = Memo::new(move |_| now.get().millis() / 60_000);
    let place = move || {
        let now = Timestamp::from_millis(minute.get() * 60_000);
        plan.with(|plan| {
            let is_today = plan.today.begins_at <= now && now < plan.today.ends_at;
            is_today.then(|| x(percent(&plan.today, now)))
        })
    };
    move || place().map(|x| view! { <line class="now" x1=x.clone() x2=x y1="14" y2="64" /> })
}

/// The user's time zone, and what the second scale of hours is.
#[component]
pub fn Zones(
    /// The plan.
    plan: Signal<DayPlan>,
) -> impl IntoView {
    let (texts, visitor) = (DashboardTexts::here(), visitor());
    let (mine, desk) = (place(language(), visitor.zone()), place(language(), &visitor.desk.zone));
    let has_desk = Memo::new(move |_| plan.with(|plan| plan.desk_offset.is_some()));
    move || if has_desk.get() { texts.both_zones(mine.clone(), desk.clone()) } else { mine.clone() }
}
