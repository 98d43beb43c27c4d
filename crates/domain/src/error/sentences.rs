//! Longer messages of refusals, in English.

use super::{
    ValidationError,
    conflict::{BookingConflict, OccurrenceConflict},
    zone_effect::ZoneEffect,
};
use crate::{ChannelId, State, Timestamp, values::task_row::TaskRow};

pub(super) fn listed(problems: &[(String, ValidationError)]) -> String {
    problems.iter().map(|(field, problem)| problem.with_field(field)).collect::<Vec<_>>().join("; ")
}

pub(super) fn invalid_items(count: usize) -> String {
    match count {
        1 => "1 item is invalid".to_owned(),
        count => format!("{count} items are invalid"),
    }
}

pub(super) fn passed(at: Timestamp, can_publish_now: bool) -> String {
    let or = if can_publish_now { ", or publish now" } else { "" };
    format!("{at} has passed; choose a later time{or}")
}

pub(super) fn text_conflict(revision: i32, has_text: bool) -> String {
    let next =
        if has_text { "your text is not lost: compare and save again" } else { "reload it and try again" };
    format!("revision {revision} was saved in the meantime; {next}")
}

pub(super) fn in_the_way(is_public: bool, tasks: &[TaskRow]) -> String {
    let cancel = match tasks {
        [] => String::new(),
        [task] => format!("cancel what is scheduled for {}", task.due.at),
        tasks => format!("cancel the {} items that are scheduled", tasks.len()),
    };
    match (is_public, cancel.is_empty()) {
        (true, true) => "this article is public; unpublish it, then delete it".to_owned(),
        (true, false) => format!("this article is public; unpublish it and {cancel}, then delete it"),
        (false, _) => format!("this article is scheduled; {cancel}, then delete it"),
    }
}

pub(super) fn room_taken(conflicts: &[BookingConflict]) -> String {
    match conflicts {
        [] => "the room is taken at that time; choose another time or another room".to_owned(),
        [one, ..] => format!(
            "the room is taken from {} to {} by “{}”; choose another time or another room",
            one.starts.at, one.ends.at, one.title
        ),
    }
}

pub(super) fn occurrences_taken(conflicts: &[OccurrenceConflict], count: usize) -> String {
    let first = conflicts.first().map(|one| format!(", the first on {}", one.original_local));
    format!(
        "{} of the {count} meetings cannot be booked{}; nothing was booked: skip those, or choose another time or another room",
        conflicts.len(),
        first.unwrap_or_default()
    )
}

pub(super) fn ambiguous_key(key: &str, channels: &[(ChannelId, String)]) -> String {
    let channels = channels.iter().map(|(id, name)| match name.as_str() {
        "" => format!("a deleted one ({id})"),
        name => format!("{name} ({id})"),
    });
    let channels: Vec<String> = channels.collect();
    let channels = channels.join(", ");
    format!(
        "several channels have a message with the key {key}: {channels}; add ?channel_id=ID to the address"
    )
}

pub(super) fn conflict(task: &TaskRow, is_changed: bool) -> String {
    match (task.state, task.executed) {
        (State::Executed, Some(at)) => format!("this was executed at {}; it can no longer be changed", at.at),
        (State::Scheduled, _) if is_changed => {
            "this was changed in the meantime; reload it and try again".to_owned()
        }
        (state, _) => format!("this is {state}; that is not possible in this state"),
    }
}

pub(super) fn zone_choice(effect: &ZoneEffect) -> String {
    let ZoneEffect { from, to, count, movable, past, .. } = effect;
    format!(
        "{count} scheduled items are planned in the time of {from}; nothing was changed: say with zone_change \
         whether they keep_wall_clock ({movable} move to the same time in {to}, {past} would have passed and \
         keep their instant) or keep_instant"
    )
}

/// Says which limit on signals was reached.
pub(super) fn signal_rate(max: u32, rule: &str) -> String {
    match rule {
        "" => format!("an account may send {max} signals a minute"),
        rule => format!("a rule may open {max} waits a minute by signals, and “{rule}” has"),
    }
}
