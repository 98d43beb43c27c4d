//! Attendees of meetings.

use crate::{
    Conn, StoreError,
    db::with_conn,
    json_rows::{column, encode},
    row::row,
};
use domain::MeetingId;
use uuid::Uuid;

row! {
    /// An attendee.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct AttendeeRow {
        /// E-mail address.
        pub email: String,
        /// Name; empty: unknown.
        pub name: String,
        /// Answer.
        pub answer: String,
        /// The account with this address; `None`: there is none.
        pub account_id: Option<Uuid>,
        /// 1: the person was invited by mail.
        pub is_mailed: i32,
        /// 1: the address gets no mail from this desk.
        pub is_blocked: i32,
    }
}

/// Returns the attendees of a meeting, by address.
pub async fn list(conn: Conn<'_>, meeting: MeetingId) -> Result<Vec<AttendeeRow>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_as(
        "select a.email, case when a.name = '' then coalesce(p.name, '') else a.name end as name, a.answer,
                p.id as account_id, case when i.content_hash <> '' or s.content_hash <> '' then 1 else 0 end as is_mailed,
                case when b.address is null then 0 else 1 end as is_blocked
           from attendee a
           left join account p on p.email = a.email
           left join blocked_address b on b.address = a.email
           left join meeting_invite i on i.meeting_id = a.meeting_id and i.email = a.email
           left join meeting m on m.id = a.meeting_id
           left join series_invite s on s.series_id = m.series_id and s.email = a.email
          where a.meeting_id = $1
          order by a.email")
        .bind(meeting.0).fetch_all(c).await)?)
}

/// Gives a meeting these attendees: addresses and names. Those who stay keep their answers. Returns
/// whether anything is changed; the name of its account is no new name of an attendee without one.
pub async fn replace(
    conn: Conn<'_>,
    meeting: MeetingId,
    attendees: &[(String, String)],
) -> Result<bool, StoreError> {
    macro_rules! added {
        ($rows:literal) => {
            concat!(
                "insert into attendee (meeting_id, email, name) ",
                $rows,
                " on conflict (meeting_id, email) do update set name = excluded.name
                   where attendee.name <> excluded.name
                     and excluded.name <> coalesce(nullif(attendee.name, ''),
                         (select p.name from account p where p.email = attendee.email), '')"
            )
        };
    }
    let (removed, added) = match conn {
        Conn::Sqlite(c) => {
            let rows = encode(attendees)?;
            let removed = sqlx::query(
                "delete from attendee
                  where meeting_id = $1 and email not in (select value ->> 0 from jsonb_each($2))",
            )
            .bind(meeting.0)
            .bind(&rows)
            .execute(&mut *c)
            .await?;
            let added =
                sqlx::query(added!("select $1, value ->> 0, value ->> 1 from jsonb_each($2) where true"))
                    .bind(meeting.0)
                    .bind(rows)
                    .execute(c)
                    .await?;
            (removed.rows_affected(), added.rows_affected())
        }
        Conn::Postgres(c) => {
            let emails = column(attendees, |one| one.0.clone());
            let removed = sqlx::query("delete from attendee where meeting_id = $1 and email <> all($2)")
                .bind(meeting.0)
                .bind(&emails)
                .execute(&mut *c)
                .await?;
            let added = sqlx::query(added!(
                "select $1, new.email, new.name from unnest($2::text[], $3::text[]) as new (email, name)"
            ))
            .bind(meeting.0)
            .bind(emails)
            .bind(column(attendees, |one| one.1.clone()))
            .execute(c)
            .await?;
            (removed.rows_affected(), added.rows_affected())
        }
    };
    Ok(removed + added > 0)
}
