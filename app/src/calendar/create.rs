//! What can be planned for a day and a time: links to the forms, with the time filled in.

use super::{
    request::{NEW, link_with},
    server_fns::CalendarBoard,
};
use crate::ui::{table::address::ListAddress, time::picker::zone_as_typed};
use domain::{
    Timestamp,
    base::{calendar::local_seconds, local_time},
    time::wall_clock_time,
};
use leptos::prelude::*;
use leptos_router::location::Url;
use texts::calendar::CalendarTexts;
use texts::{
    language,
    time::{place, placed_text},
};

/// The choice, while the URL names a day and a time.
#[component]
pub fn CreatePanel(
    /// The board.
    board: Signal<CalendarBoard>,
    /// The URL of the calendar.
    address: Memo<ListAddress>,
) -> impl IntoView {
    let new = Memo::new(move |_| address.with(|address| address.get(NEW)));
    let zone = Memo::new(move |_| board.with(|board| (board.page.zone.clone(), board.page.today.clone())));
    move || {
        let (zone, today) = zone.get();
        let links = Links::of(&new.get()?, &zone, &today)?;
        let texts = CalendarTexts::here();
        let close = move || address.with(|address| link_with(address, NEW, ""));
        Some(view! {
            <section class="calendar-panel" role="status">
                <p>{texts.create_at(links.when)}</p>
                <p class="row">
                    <a class="button main" href=links.article>{texts.article_at()}</a>
                    <a class="button" href=links.meeting>{texts.meeting_at()}</a>
                    <a class="button" href=links.reminder>{texts.reminder_at()}</a>
                    <a class="button bare" href=close data-noscroll="">{texts.close()}</a>
                </p>
            </section>
        })
    }
}

/// Addresses of the forms, and the time in words.
struct Links {
    when: String,
    article: String,
    meeting: String,
    reminder: String,
}

impl Links {
    /// `typed`: the start, and after a slash the time of the end. `None`: the text is no time.
    fn of(typed: &str, zone: &str, today: &str) -> Option<Self> {
        let (typed, end) = typed.split_once('/').map_or((typed, None), |(start, end)| (start, Some(end)));
        let local = local_time::parse(typed).ok()?;
        let wall = wall_clock_time(Timestamp::from_millis(local_seconds(local) * 1_000), 0);
        let this_year = today.split('-').next().and_then(|year| year.parse().ok());
        let when = placed_text(language(), wall, this_year, &place(language(), zone));
        let text = local_time::minute_text(local);
        let (date, time) = text.split_once('T')?;
        let end = match end.and_then(|end| local_time::parse(&format!("{date}T{end}")).ok()) {
            Some(end) if end > local => format!("{:02}:{:02}", end.hour(), end.minute()),
            _ if local.hour() == 23 => "23:59".to_owned(),
            _ => format!("{:02}:{:02}", local.hour() + 1, local.minute()),
        };
        let zone = Url::escape(&zone_as_typed(zone));
        Some(Self {
            when,
            article: format!("/articles/new?date={date}&time={time}&zone={zone}"),
            meeting: format!("/meetings/new?date={date}&start={time}&end={end}&zone={zone}"),
            reminder: format!("/reminders?date={date}&time={time}&zone={zone}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Links;

    #[test]
    fn a_time_that_was_dragged_out_has_its_own_end() {
        let meeting = |typed: &str| Links::of(typed, "UTC", "2027-01-01").map(|links| links.meeting);
        let starts = |start: &str, end: &str| {
            Some(format!("/meetings/new?date=2027-03-04&start={start}&end={end}&zone=UTC"))
        };
        assert_eq!(meeting("2027-03-04T14:00"), starts("14:00", "15:00"));
        assert_eq!(meeting("2027-03-04T14:00/16:15"), starts("14:00", "16:15"));
        for wrong in ["13:00", "25:00", "", "x"] {
            assert_eq!(meeting(&format!("2027-03-04T14:00/{wrong}")), starts("14:00", "15:00"), "{wrong}");
        }
        assert_eq!(meeting("2027-03-04T23:30"), starts("23:30", "23:59"));
        assert_eq!(meeting("never/14:00"), None);
    }
}
