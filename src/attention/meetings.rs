//! Meetings on the Attention page: requests that are about to be decided by themselves or wait for
//! an admin, and released rooms.

use super::card::card;
use crate::services::{Presenter, internal_error};
use domain::{
    Actor, DomainError, Role, Timestamp,
    attention::{AttentionCard, AttentionCause, AttentionEntry, CardMeeting, Item, MAX_ITEMS},
};
use store::{
    Conn,
    meeting_attention::{self, AttentionMeeting, MeetingsFor},
};
use texts::{attention::AttentionTexts, number::counted};

async fn load(conn: Conn<'_>, actor: &Actor, now: Timestamp) -> Result<Vec<AttentionMeeting>, DomainError> {
    let of = MeetingsFor {
        account: actor.account,
        decides: actor.role != Role::Creator,
        is_admin: actor.is_admin(),
    };
    let limit = i64::try_from(MAX_ITEMS).unwrap_or(i64::MAX);
    meeting_attention::attention(conn, now, of, limit).await.map_err(internal_error)
}

fn cause(row: &AttentionMeeting) -> AttentionCause {
    match row.cause.as_str() {
        "expiring" => AttentionCause::MeetingExpiring,
        "held" => AttentionCause::MeetingHeld,
        _ => AttentionCause::MeetingReleased,
    }
}

/// Returns the entries of the API.
pub async fn entries(
    conn: Conn<'_>,
    presenter: &Presenter<'_>,
    words: AttentionTexts,
) -> Result<Vec<AttentionEntry>, DomainError> {
    let rows = load(conn, presenter.actor, presenter.now).await?;
    let entry = |group: &[AttentionMeeting]| {
        let (cause, count) = (cause(&group[0]), group[0].total.unsigned_abs());
        let (title, message) = match cause {
            AttentionCause::MeetingExpiring if count == 1 => {
                (words.expiring(), words.expiring_hint_one().to_owned())
            }
            AttentionCause::MeetingExpiring => (words.expiring(), words.expiring_hint(counted(count))),
            AttentionCause::MeetingHeld if count == 1 => {
                (words.meetings_held(), words.meetings_held_hint_one().to_owned())
            }
            AttentionCause::MeetingHeld => (words.meetings_held(), words.meetings_held_hint(counted(count))),
            _ if count == 1 => (words.released(), words.released_hint_one().to_owned()),
            _ => (words.released(), words.released_hint(counted(count))),
        };
        let item = |row: &AttentionMeeting| Item {
            id: Some(row.id),
            kind: "meeting".to_owned(),
            title: row.title.clone(),
            path: format!("/meetings/{}", row.id),
        };
        AttentionEntry {
            cause,
            title: title.to_owned(),
            message,
            count,
            since: None,
            channel: None,
            items: group.iter().map(item).collect(),
        }
    };
    Ok(rows.chunk_by(|one, next| one.cause == next.cause).map(entry).collect())
}

/// Returns the cards of the page.
pub async fn cards(conn: Conn<'_>, presenter: &Presenter<'_>) -> Result<Vec<AttentionCard>, DomainError> {
    let rows = load(conn, presenter.actor, presenter.now).await?;
    let of_group = |group: &[AttentionMeeting]| {
        let meeting = |row: &AttentionMeeting| CardMeeting {
            id: row.id,
            title: row.title.clone(),
            at: presenter.moment(Timestamp::from_millis(row.moment)),
        };
        AttentionCard {
            total: group[0].total.unsigned_abs(),
            meetings: group.iter().map(meeting).collect(),
            ..card(format!("meetings:{}", group[0].cause), cause(&group[0]))
        }
    };
    Ok(rows.chunk_by(|one, next| one.cause == next.cause).map(of_group).collect())
}
