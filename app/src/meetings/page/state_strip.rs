//! The states of a meeting in one line. Other ends than *ended* appear only if they happened.

use crate::{
    meetings::state::icon_of,
    ui::{icon::Icon, time::date_time::DateTime},
};
use domain::{
    LocalizedTime,
    meetings::{Meeting, MeetingState},
};
use leptos::prelude::*;
use texts::{meetings::MeetingTexts, tasks::TaskTexts};

/// The states before the end, in their order.
const PATH: [MeetingState; 5] = [
    MeetingState::Waiting,
    MeetingState::Offered,
    MeetingState::Requested,
    MeetingState::Confirmed,
    MeetingState::InProgress,
];

/// One state of the strip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Step {
    state: MeetingState,
    /// When it was reached, or will be; `None`: not known.
    at: Option<LocalizedTime>,
    is_reached: bool,
}

/// The strip.
#[component]
pub(super) fn StateStrip(meeting: Meeting) -> impl IntoView {
    let texts = MeetingTexts::here();
    let steps = steps(&meeting);
    let current = steps.iter().rposition(|step| step.is_reached);
    let item = |(place, step): (usize, Step)| {
        let is_current = current == Some(place);
        view! {
            <li class:is-reached=step.is_reached aria-current=is_current.then_some("step") data-phase=step.state.as_str()>
                <Icon name=icon_of(step.state) />
                <span>{texts.state_of(step.state)}</span>
                {step.at.map(|at| view! { <DateTime at=at /> })}
            </li>
        }
    };
    let items = steps.into_iter().enumerate().map(item).collect_view();
    view! { <ol class="state-strip" aria-label=TaskTexts::here().status()>{items}</ol> }
}

/// Returns the states that the meeting has been in and, while it is open, those to come.
fn steps(meeting: &Meeting) -> Vec<Step> {
    let state = meeting.row.state;
    let log: Vec<_> = meeting.timeline.iter().map(|event| event.to_state.as_deref()).collect();
    let reached_at = |state: MeetingState| Some(meeting.timeline[last_change_to(state.as_str(), &log)?].at);
    let reached = |state| Step { state, at: reached_at(state), is_reached: true };
    // An open state was left behind only if it is before the current one.
    let place = PATH.iter().position(|known| *known == state).unwrap_or(PATH.len());
    let reached_in_log = |state: MeetingState| {
        meeting.timeline.iter().rposition(|event| event.to_state.as_deref() == Some(state.as_str()))
    };
    let mut steps: Vec<Step> = in_order(&PATH[..place], reached_in_log).into_iter().map(reached).collect();
    let created = if steps.is_empty() { Some(meeting.created) } else { None };
    steps.push(Step { at: reached_at(state).or(created), ..reached(state) });
    let coming = |state, at| Step { state, at, is_reached: false };
    let (starts, ends) = (Some(meeting.row.starts), Some(meeting.row.ends));
    // Whether an approval is needed is decided when the room is accepted.
    let later = PATH.iter().skip(place + 1).filter(|later| **later != MeetingState::Requested);
    for later in later {
        let at = if *later == MeetingState::InProgress { starts } else { None };
        steps.push(coming(*later, at));
    }
    if state.is_open() || state.is_on_waiting_list() {
        steps.push(coming(MeetingState::Ended, ends));
    }
    steps
}

/// Returns the place in a log at which the state changed to this one last. `log`: the state after each
/// event; `None`: the event is not about the state.
fn last_change_to(state: &str, log: &[Option<&str>]) -> Option<usize> {
    let mut known = None;
    let mut found = None;
    for (place, after) in log.iter().enumerate().filter(|(_, after)| after.is_some()) {
        if *after != known && *after == Some(state) {
            found = Some(place);
        }
        known = *after;
    }
    found
}

/// Returns the reached states of a path, without those that were reached only before an earlier one of it:
/// they were reverted. `reached`: when, as a number that grows; `None`: never.
fn in_order(path: &[MeetingState], reached: impl Fn(MeetingState) -> Option<usize>) -> Vec<MeetingState> {
    let mut last = 0;
    let mut kept = Vec::new();
    for state in path {
        if let Some(at) = reached(*state).filter(|at| *at >= last) {
            last = at;
            kept.push(*state);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_reached_at_its_change_and_not_at_later_edits() {
        let log = [Some("requested"), Some("confirmed"), None, Some("confirmed")];
        assert_eq!(last_change_to("confirmed", &log), Some(1));
        let again = [Some("confirmed"), Some("cancelled"), Some("confirmed"), Some("confirmed")];
        assert_eq!(last_change_to("confirmed", &again), Some(2));
        assert_eq!(last_change_to("offered", &again), None);
    }

    #[test]
    fn a_state_that_was_reverted_is_not_on_the_path() {
        use MeetingState::{Confirmed, Requested};
        let of = |log: &[MeetingState]| in_order(&PATH, |state| log.iter().rposition(|one| *one == state));
        assert_eq!(of(&[Requested, Confirmed]), [Requested, Confirmed]);
        assert_eq!(of(&[Confirmed, Requested]), [Requested], "moved, it waited for an approval again");
        assert_eq!(of(&[Requested, Confirmed, Requested]), [Requested]);
        assert_eq!(of(&[Confirmed, Requested, Confirmed]), [Requested, Confirmed]);
        assert_eq!(of(&[]), []);
    }
}
