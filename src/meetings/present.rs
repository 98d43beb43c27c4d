//! Presents rooms and meetings to a user.

use super::may_decide;
use crate::{
    deliveries::outside,
    reminders,
    services::{Presenter, internal_error},
    tasks::unit_of_work::parsed,
    zone::Zone,
};
use domain::{
    AccountId, DomainError, MeetingId, RoomId, Timestamp, Version,
    base::local_time::minute_text,
    meetings::{
        Attendee, BookingConflict, Busy, Meeting, MeetingRow, MeetingState, MeetingUndo, Room, decide,
    },
    series::ZoneRules as _,
};
use store::{
    Conn,
    attendee::{self, AttendeeRow},
    availability::BusyRow,
    due_reminder, event,
    meeting::ConflictRow,
    meeting_list::MeetingListRow,
    room::RoomRow,
    task_list,
};

/// Maximum number of events on the page of a meeting.
const MAX_TIMELINE_EVENTS: u32 = 200;

/// Presents a room.
pub fn room(presenter: &Presenter<'_>, row: &RoomRow) -> Result<Room, DomainError> {
    let settings = row.settings().map_err(internal_error)?;
    let is_archived = row.archived_at.is_some();
    let may_book = !is_archived && presenter.actor.role >= settings.booked_by;
    Ok(Room {
        id: RoomId(row.id),
        version: Version(row.version),
        settings,
        position: row.position,
        is_archived,
        may_book,
    })
}

/// Presents a row of the list.
pub fn row(presenter: &Presenter<'_>, row: MeetingListRow) -> Result<MeetingRow, DomainError> {
    let repeats = row.repeats().map_err(internal_error)?;
    let MeetingListRow { meeting, room, organizer, attendee_count, .. } = row;
    let booking = meeting.booking().map_err(internal_error)?;
    let (actor, organizer_id) = (presenter.actor, meeting.organizer());
    let (state, zone) = (booking.state, Zone::stored(&meeting.time_zone));
    let local = |at: Timestamp| zone.local_at(at).map(minute_text).unwrap_or_default();
    let moment = |at: Option<Timestamp>| at.map(|at| presenter.moment(at));
    let is_owner = actor.may_change(organizer_id);
    let decides = may_decide(actor, organizer_id);
    let undo = meeting.undo().and_then(|(verb, changed_at, before)| {
        let until = decide::undo_until(verb, &booking, &before);
        let may_undo = may_undo(verb, is_owner, decides);
        (may_undo && presenter.now < until).then(|| MeetingUndo { verb: verb.to_owned(), changed_at, until })
    });
    let is_running = matches!(state, MeetingState::Confirmed | MeetingState::InProgress);
    let needs_check_in = booking.release_at.is_some() && booking.checked_in_at.is_none();
    Ok(MeetingRow {
        id: MeetingId(meeting.id),
        state,
        version: Version(meeting.version),
        room_id: booking.room_id,
        room,
        organizer_id,
        organizer,
        starts: presenter.moment(booking.starts_at),
        ends: presenter.moment(booking.ends_at),
        local_start: local(booking.starts_at),
        local_end: local(booking.ends_at),
        series_id: meeting.series_id,
        repeats,
        decides: moment(booking.decide_at),
        decision: booking.decide_at.filter(|_| state == MeetingState::Requested).map(|_| booking.decision),
        is_held: booking.is_held,
        checked_in: moment(booking.checked_in_at),
        releases: moment(booking.release_at.filter(|_| is_running && needs_check_in)),
        attendee_count: u32::try_from(attendee_count).unwrap_or(u32::MAX),
        undo,
        may_change: is_owner && (state.is_open() || state.is_on_waiting_list()),
        may_approve: decides && state == MeetingState::Requested,
        may_check_in: is_running
            && needs_check_in
            && decide::is_check_in_open(booking.starts_at, presenter.now),
        title: meeting.title,
        link: meeting.link,
        zone: meeting.time_zone,
        reason: meeting.reason,
    })
}

/// Whether a user may undo this change: the users who may make it.
pub fn may_undo(verb: &str, is_owner: bool, decides: bool) -> bool {
    match verb {
        "approve" | "reject" => decides,
        _ => is_owner,
    }
}

/// Reads and presents a meeting with its details.
pub async fn meeting(
    mut conn: Conn<'_>,
    presenter: &Presenter<'_>,
    id: MeetingId,
) -> Result<Meeting, DomainError> {
    let found = store::meeting_list::find(conn.reborrow(), id).await.map_err(internal_error)?;
    let found = found.ok_or_else(|| DomainError::no_such("meeting"))?;
    let attendees = attendee::list(conn.reborrow(), id).await.map_err(internal_error)?;
    let tasks = task_list::waiting_of_targets(conn.reborrow(), &[id.0]).await.map_err(internal_error)?;
    let reminders = reminders::meeting::list(conn.reborrow(), presenter, id).await?;
    let may_see = presenter.actor.may_change(found.meeting.organizer());
    let held_mails = match may_see {
        true => outside::held_about_meeting(conn.reborrow(), presenter, id).await?,
        false => Vec::new(),
    };
    let (mail_server, sms_channel) = due_reminder::channels(conn.reborrow()).await.map_err(internal_error)?;
    let events = event::history(conn, id.0, MAX_TIMELINE_EVENTS).await.map_err(internal_error)?;
    Ok(Meeting {
        description: found.meeting.description.clone(),
        created: presenter.moment(found.meeting.created_at),
        row: row(presenter, found)?,
        attendees: attendees.into_iter().map(attendee_of).collect::<Result<_, _>>()?,
        held_mails,
        has_mail_server: mail_server.is_some(),
        has_sms_channel: sms_channel.is_some(),
        tasks: presenter.tasks(tasks),
        reminders,
        timeline: events.into_iter().map(|event| presenter.event(event)).collect(),
    })
}

fn attendee_of(row: AttendeeRow) -> Result<Attendee, DomainError> {
    Ok(Attendee {
        answer: parsed(&row.answer)?,
        is_mailed: row.is_mailed == 1,
        is_blocked: row.is_blocked == 1,
        email: row.email,
        name: row.name,
        account_id: row.account_id.map(AccountId),
    })
}

/// Presents what holds a room.
pub fn busy(presenter: &Presenter<'_>, row: BusyRow) -> Result<Busy, DomainError> {
    let organizer_id = AccountId(row.organizer_id);
    let state: MeetingState = parsed(&row.state)?;
    Ok(Busy {
        meeting_id: MeetingId(row.id),
        title: row.title,
        state,
        organizer_id,
        organizer: row.organizer,
        starts: presenter.moment(row.starts_at),
        ends: presenter.moment(row.ends_at),
        free: presenter.moment(row.free_at),
        may_change: presenter.actor.may_change(organizer_id) && state.is_open(),
    })
}

/// Returns the refusal of a room that is not free.
pub fn room_taken(presenter: &Presenter<'_>, conflicts: Vec<ConflictRow>) -> DomainError {
    let conflicts = conflicts.into_iter().map(|row| conflict(presenter, row)).collect();
    DomainError::RoomTaken { conflicts }
}

/// Presents a booking that is in the way.
pub fn conflict(presenter: &Presenter<'_>, row: ConflictRow) -> BookingConflict {
    BookingConflict {
        id: MeetingId(row.id),
        title: row.title,
        starts: presenter.moment(row.starts_at),
        ends: presenter.moment(row.ends_at),
    }
}
