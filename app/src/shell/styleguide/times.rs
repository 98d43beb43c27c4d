//! Times: shown, and chosen.

use crate::shell::styleguide::{Part, Specimen};
use crate::{
    live::live,
    ui::time::{
        date_time::{Countdown, DateTime, Relative},
        picker::{CityList, TimeFeedback, TimeFields, TimeInput, TimePreview, TimeSubmit},
    },
};
use domain::{DomainError, LocalizedTime, error::ValidationError};
use leptos::prelude::*;

const HOUR_MS: i64 = 3_600_000;

#[component]
pub fn Times() -> impl IntoView {
    let now = live().now().get_untracked();
    let local = |at| LocalizedTime::new(at, 60, 480);
    let (later, past) = (local(now.plus(11 * HOUR_MS)), now.plus(-HOUR_MS));
    view! {
        <Part title="Times">
            <Specimen name="Shown">
                <p class="row"><DateTime at=later is_full=true /> <Relative at=later.at /> <Relative at=past is_past=true /></p>
                <Countdown at=later.at />
                <TimePreview at=later typed=Some("Fri 27 Nov, 09:00 Tokyo".to_owned()) />
            </Specimen>
            <Chosen name="Valid" id="valid" known=Some(Ok(later)) />
            <Chosen name="Missing" id="missing" known=None />
            <Chosen name="Past" id="past" known=Some(Err(DomainError::past(past))) />
            <Chosen name="Twice" id="twice" known=Some(Err(twice())) />
            <Chosen name="Skipped" id="skipped" known=Some(Err(skipped())) />
            <Chosen
                name="Unknown zone" id="zone"
                known=Some(Err(DomainError::invalid("zone", ValidationError::NotAZone { like: "Europe/Berlin".to_owned() })))
            />
            <CityList />
        </Part>
    }
}

fn twice() -> DomainError {
    let at = |text: &str| text.parse().unwrap_or_default();
    DomainError::DoubledTime {
        field: "local".to_owned(),
        local: "2027-10-31T02:30".to_owned(),
        zone: "Europe/Berlin".to_owned(),
        earlier: at("2027-10-31T00:30:00Z"),
        later: at("2027-10-31T01:30:00Z"),
    }
}

fn skipped() -> DomainError {
    DomainError::SkippedTime {
        field: "local".to_owned(),
        local: "2027-03-28T02:30".to_owned(),
        zone: "Europe/Berlin".to_owned(),
        before: "2027-03-28T01:59".to_owned(),
        after: "2027-03-28T03:00".to_owned(),
    }
}

/// The field with what is known about its input; `None`: nothing is entered.
#[component]
fn Chosen(
    name: &'static str,
    id: &'static str,
    known: Option<Result<LocalizedTime, DomainError>>,
) -> impl IntoView {
    let typed = known.as_ref().map(|_| ("2027-10-31".to_owned(), "02:30".to_owned())).unwrap_or_default();
    let input = TimeInput::new(typed, "Berlin".to_owned(), String::new(), known);
    view! {
        <Specimen name=name>
            <form class="move-form">
                <div class="time-sentence"><TimeFields input=input name=id /></div>
                <TimeFeedback input=input name=id />
                <TimeSubmit input=input name=id label=Signal::stored("Schedule".to_owned()) no_js="Schedule" />
            </form>
        </Specimen>
    }
}
