//! Invitations of attendees by mail: what was sent to whom, and the links with which they answer.

use crate::{
    Conn, StoreError,
    db::with_conn,
    json_rows::{column, encode},
    row::row,
};
use domain::{MeetingId, MessageId, Timestamp};
use uuid::Uuid;

row! {
    /// An attendee, or a person who was invited before and is no attendee any more.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct InvitedRow {
        /// The meeting.
        pub meeting_id: Uuid,
        /// E-mail address.
        pub email: String,
        /// Name; empty: unknown.
        pub name: String,
        /// Answer.
        pub answer: String,
        /// Hash of the time that was answered; `None`: no answer, or an old one; empty: it was
        /// forgotten.
        pub answered_hash: Option<String>,
        /// Language of the account with this address; `None`: there is none.
        pub language: Option<String>,
        /// 1: an attendee.
        pub is_attendee: i32,
        /// Hash of what the last mail says; empty: it was cancelled; `None`: no mail was sent.
        pub content_hash: Option<String>,
        /// When the last mail about a change was sent, milliseconds; `None`: none was.
        pub changed_at: Option<i64>,
        /// Start of the meeting as the last mail says, milliseconds; `None`: not known, or the person was
        /// removed.
        pub mailed_starts_at: Option<i64>,
    }
}

macro_rules! invited {
    ($ids:literal) => {
        concat!(
            "select a.meeting_id, a.email, case when a.name = '' then coalesce(p.name, '') else a.name end as name,
                    a.answer, a.answered_hash, p.language, 1 as is_attendee, i.content_hash,
                    i.changed_at, i.mailed_starts_at
               from attendee a
               left join account p on p.email = a.email
               left join meeting_invite i on i.meeting_id = a.meeting_id and i.email = a.email
              where a.meeting_id ",
            $ids,
            " union all
             select i.meeting_id, i.email, coalesce(p.name, ''), 'pending', null, p.language, 0, i.content_hash, i.changed_at,
                    i.mailed_starts_at
               from meeting_invite i
               left join account p on p.email = i.email
              where i.content_hash <> ''
                and not exists (select 1 from attendee a where a.meeting_id = i.meeting_id and a.email = i.email)
                and i.meeting_id ",
            $ids,
            " order by 1, 2"
        )
    };
}

/// Returns the attendees of these meetings, and those who were invited before and not notified yet that
/// they are no attendees any more.
pub async fn invited(conn: Conn<'_>, meetings: &[Uuid]) -> Result<Vec<InvitedRow>, StoreError> {
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(invited!("in (select unhex(value) from jsonb_each($1))"))
                .bind(encode(meetings.iter().map(Uuid::as_simple))?)
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => sqlx::query_as(invited!("= any($1)")).bind(meetings).fetch_all(c).await?,
    })
}

row! {
    /// What an invitation says besides the meeting itself.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct InviteFacts {
        /// The meeting.
        pub id: Uuid,
        /// Name of its room; empty: it has none.
        pub room: String,
        /// Name of its organizer.
        pub organizer: String,
        /// Language of its organizer.
        pub language: String,
    }
}

/// Returns what invitations to these meetings say besides the meetings.
pub async fn facts(conn: Conn<'_>, meetings: &[Uuid]) -> Result<Vec<InviteFacts>, StoreError> {
    macro_rules! facts {
        ($ids:literal) => {
            concat!(
                "select m.id, coalesce(r.name, '') as room, coalesce(p.name, '') as organizer,
                        coalesce(p.language, 'en') as language
                   from meeting m
                   left join room r on r.id = m.room_id
                   left join account p on p.id = m.organizer_id
                  where m.id ",
                $ids
            )
        };
    }
    Ok(match conn {
        Conn::Sqlite(c) => {
            sqlx::query_as(facts!("in (select unhex(value) from jsonb_each($1))"))
                .bind(encode(meetings.iter().map(Uuid::as_simple))?)
                .fetch_all(c)
                .await?
        }
        Conn::Postgres(c) => sqlx::query_as(facts!("= any($1)")).bind(meetings).fetch_all(c).await?,
    })
}

/// Returns which of these meetings have a task of this kind that waits.
pub async fn waiting(conn: Conn<'_>, meetings: &[Uuid], kind: &str) -> Result<Vec<Uuid>, StoreError> {
    Ok(match conn {
        _ if meetings.is_empty() => Vec::new(),
        Conn::Sqlite(c) => {
            sqlx::query_scalar(
                "select target_id from task
                  where target_id in (select unhex(value) from jsonb_each($1)) and kind = $2 and state = 'scheduled'",
            )
            .bind(encode(meetings.iter().map(Uuid::as_simple))?)
            .bind(kind)
            .fetch_all(c)
            .await?
        }
        Conn::Postgres(c) => {
            sqlx::query_scalar(
                "select target_id from task where target_id = any($1) and kind = $2 and state = 'scheduled'",
            )
            .bind(meetings)
            .bind(kind)
            .fetch_all(c)
            .await?
        }
    })
}

/// A mail to an attendee.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentInvite {
    /// The meeting.
    pub meeting: Uuid,
    /// E-mail address.
    pub email: String,
    /// Hash of what it says; empty: it cancels.
    pub content_hash: String,
    /// The message that sends it.
    pub message: MessageId,
    /// Hash of the secret of its link; `None`: it cannot be answered.
    pub secret_hash: Option<String>,
    /// Whether it is about a change.
    pub is_change: bool,
    /// Start of the meeting as it says; `None`: it removes the person.
    pub starts_at: Option<Timestamp>,
}

/// Stores what was sent, and the links.
pub async fn insert(mut conn: Conn<'_>, all: &[SentInvite], at: Timestamp) -> Result<(), StoreError> {
    match conn.reborrow() {
        Conn::Sqlite(c) => {
            let rows = all.iter().map(|one| {
                let ids = (one.meeting.simple(), one.message.0.simple());
                let changed_at = one.is_change.then_some(at.millis());
                (
                    ids.0,
                    &one.email,
                    &one.content_hash,
                    ids.1,
                    changed_at,
                    one.starts_at.map(Timestamp::millis),
                )
            });
            sqlx::query(
                "insert into meeting_invite (meeting_id, email, content_hash, message_id, mailed_at, changed_at, mailed_starts_at)
                 select unhex(value ->> 0), value ->> 1, value ->> 2, unhex(value ->> 3), $2, value ->> 4, value ->> 5
                   from jsonb_each($1) where true
                     on conflict (meeting_id, email) do update
                    set content_hash = excluded.content_hash, message_id = excluded.message_id,
                        mailed_at = excluded.mailed_at, mailed_starts_at = excluded.mailed_starts_at,
                        changed_at = coalesce(excluded.changed_at, meeting_invite.changed_at)",
            )
            .bind(encode(rows)?)
            .bind(at.millis())
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(
                "insert into meeting_invite (meeting_id, email, content_hash, message_id, mailed_at, changed_at, mailed_starts_at)
                 select meeting_id, email, content_hash, message_id, $5, changed_at, mailed_starts_at
                   from unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[], $6::bigint[], $7::bigint[])
                        as new (meeting_id, email, content_hash, message_id, changed_at, mailed_starts_at)
                     on conflict (meeting_id, email) do update
                    set content_hash = excluded.content_hash, message_id = excluded.message_id,
                        mailed_at = excluded.mailed_at, mailed_starts_at = excluded.mailed_starts_at,
                        changed_at = coalesce(excluded.changed_at, meeting_invite.changed_at)",
            )
            .bind(column(all, |one| one.meeting))
            .bind(column(all, |one| one.email.as_str()))
            .bind(column(all, |one| one.content_hash.as_str()))
            .bind(column(all, |one| one.message.0))
            .bind(at.millis())
            .bind(column(all, |one| one.is_change.then_some(at.millis())))
            .bind(column(all, |one| one.starts_at.map(Timestamp::millis)))
            .execute(c)
            .await?;
        }
    }
    let links: Vec<(&str, Uuid, &str)> = all
        .iter()
        .filter_map(|one| Some((one.secret_hash.as_deref()?, one.meeting, one.email.as_str())))
        .collect();
    insert_links(conn, &links, at).await
}

/// Stores the links of persons: hash of the secret, meeting and address.
pub async fn insert_links(
    conn: Conn<'_>,
    links: &[(&str, Uuid, &str)],
    at: Timestamp,
) -> Result<(), StoreError> {
    match conn {
        _ if links.is_empty() => {}
        Conn::Sqlite(c) => {
            sqlx::query(
                "insert into answer_link (secret_hash, meeting_id, email, created_at)
                 select value ->> 0, unhex(value ->> 1), value ->> 2, $2 from jsonb_each($1)",
            )
            .bind(encode(links.iter().map(|(hash, meeting, email)| (hash, meeting.simple(), email)))?)
            .bind(at.millis())
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(
                "insert into answer_link (secret_hash, meeting_id, email, created_at)
                 select secret_hash, meeting_id, email, $4
                   from unnest($1::text[], $2::uuid[], $3::text[]) as new (secret_hash, meeting_id, email)",
            )
            .bind(column(links, |one| one.0))
            .bind(column(links, |one| one.1))
            .bind(column(links, |one| one.2))
            .bind(at.millis())
            .execute(c)
            .await?;
        }
    }
    Ok(())
}

row! {
    /// An attendee who has opened a link.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct AnswerLinkRow {
        /// The meeting.
        pub meeting_id: Uuid,
        /// E-mail address.
        pub email: String,
        /// Name; empty: unknown.
        pub name: String,
        /// Answer.
        pub answer: String,
        /// Language of the account with this address; `None`: there is none.
        pub language: Option<String>,
        /// The series that is answered; `None`: one meeting is.
        pub series_id: Option<Uuid>,
    }
}

/// Returns the attendee with this link; `None`: there is no such link, or the person is no attendee
/// any more. That of a series has its next meeting.
pub async fn find_link(
    mut conn: Conn<'_>,
    secret_hash: &str,
    now: Timestamp,
) -> Result<Option<AnswerLinkRow>, StoreError> {
    let link: Option<(Uuid, String, Option<Uuid>)> = with_conn!(conn.reborrow(), c => sqlx::query_as(
        "select meeting_id, email, series_uid from answer_link where secret_hash = $1")
        .bind(secret_hash).fetch_optional(c).await)?;
    let Some((meeting, email, uid)) = link else { return Ok(None) };
    let meeting = match uid {
        None => Some((meeting, None)),
        Some(uid) => with_conn!(conn.reborrow(), c => sqlx::query_as(
            "select m.id, s.series_id
               from series_invite s
               join meeting m on m.series_id = s.series_id
               join attendee a on a.meeting_id = m.id and a.email = s.email
              where s.uid = $1 and s.email = $2
              order by case when m.ends_at > $3 and m.state in ('requested', 'confirmed', 'in_progress') then 0
                            when m.ends_at > $3 then 1
                            else 2 end,
                       m.starts_at
              limit 1")
            .bind(uid).bind(&email).bind(now.millis()).fetch_optional(c).await)?,
    };
    let Some((meeting, series)) = meeting else { return Ok(None) };
    let (meeting, series): (Uuid, Option<Uuid>) = (meeting, series);
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select a.meeting_id, a.email, case when a.name = '' then coalesce(p.name, '') else a.name end as name,
                a.answer, p.language, s.id as series_id
           from attendee a
           left join account p on p.email = a.email
           left join series s on s.id = $3
          where a.meeting_id = $1 and a.email = $2")
        .bind(meeting).bind(email).bind(series).fetch_optional(c).await)?)
}

/// Stores the answer of an attendee to the time with this hash; false: it was this one before.
pub async fn answer(
    conn: Conn<'_>,
    (meeting, email): (MeetingId, &str),
    (answer, answered_hash): (domain::meetings::Answer, &str),
    at: Timestamp,
) -> Result<bool, StoreError> {
    let changed = with_conn!(conn, c => sqlx::query(
        "update attendee set answer = $3, answered_at = $4, answered_hash = $5
          where meeting_id = $1 and email = $2 and answer <> $3")
        .bind(meeting.0).bind(email).bind(answer.as_str()).bind(at.millis()).bind(answered_hash)
        .execute(c).await?.rows_affected());
    Ok(changed > 0)
}

row! {
    /// How attendees have answered, and who organizes the meeting.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct AnswerCounts {
        /// The organizer.
        pub organizer_id: Uuid,
        /// E-mail address of the organizer.
        pub email: String,
        /// Language of the organizer.
        pub language: String,
        /// How the organizer hears of answers.
        pub answer_notices: String,
        /// Number of attendees who come.
        pub accepted: i64,
        /// Number of attendees who may come.
        pub tentative: i64,
        /// Number of attendees who do not come.
        pub declined: i64,
        /// Number of attendees who have not answered.
        pub pending: i64,
    }
}

/// Returns how attendees of a meeting have answered; `None`: the account of its organizer is disabled.
pub async fn answer_counts(conn: Conn<'_>, meeting: MeetingId) -> Result<Option<AnswerCounts>, StoreError> {
    macro_rules! count {
        ($answer:literal) => {
            concat!("count(case when a.answer = '", $answer, "' then 1 end) as ", $answer)
        };
    }
    Ok(with_conn!(conn, c => sqlx::query_as(concat!(
        "select p.id as organizer_id, p.email, p.language, p.answer_notices, ", count!("accepted"), ", ",
        count!("tentative"), ", ", count!("declined"), ", ", count!("pending"), "
           from meeting m
           join account p on p.id = m.organizer_id and p.is_disabled = 0
           join attendee a on a.meeting_id = m.id
          where m.id = $1
          group by p.id, p.email, p.language, p.answer_notices"))
        .bind(meeting.0).fetch_optional(c).await)?)
}

/// Forgets the answers of these attendees: meeting and address.
pub async fn forget_answers(conn: Conn<'_>, attendees: &[(Uuid, String)]) -> Result<(), StoreError> {
    match conn {
        _ if attendees.is_empty() => {}
        Conn::Sqlite(c) => {
            sqlx::query(
                "update attendee set answer = 'pending', answered_at = null, answered_hash = ''
                  where (meeting_id, email) in (select unhex(value ->> 0), value ->> 1 from jsonb_each($1))",
            )
            .bind(encode(attendees.iter().map(|(meeting, email)| (meeting.simple(), email)))?)
            .execute(c)
            .await?;
        }
        Conn::Postgres(c) => {
            sqlx::query(
                "update attendee set answer = 'pending', answered_at = null, answered_hash = ''
                  where (meeting_id, email) in (select meeting_id, email
                                                  from unnest($1::uuid[], $2::text[]) as one (meeting_id, email))",
            )
            .bind(column(attendees, |one| one.0))
            .bind(column(attendees, |one| one.1.as_str()))
            .execute(c)
            .await?;
        }
    }
    Ok(())
}
