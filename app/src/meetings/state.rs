//! The state of a meeting as icon and word.

use crate::ui::icon::Icon;
use domain::meetings::MeetingState;
use leptos::prelude::*;
use texts::meetings::MeetingTexts;

/// Name of the icon of a state.
#[must_use]
pub const fn icon_of(state: MeetingState) -> &'static str {
    match state {
        MeetingState::Waiting | MeetingState::Requested => "due",
        MeetingState::Offered => "check",
        MeetingState::Confirmed => "scheduled",
        MeetingState::InProgress => "play",
        MeetingState::Ended => "executed",
        MeetingState::Rejected => "failed",
        MeetingState::Expired | MeetingState::Released => "missed",
        MeetingState::Cancelled => "cancelled",
    }
}

/// Icon and word.
#[component]
pub fn StateMark(
    /// The state.
    state: MeetingState,
) -> impl IntoView {
    view! {
        <span class="phase" data-phase=state.as_str()>
            <Icon name=icon_of(state) />
            {MeetingTexts::here().state_of(state)}
        </span>
    }
}
