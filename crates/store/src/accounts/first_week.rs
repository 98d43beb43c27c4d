//! What a new desk has already.

use crate::{Conn, StoreError, db::with_conn, setting};
use domain::{AccountId, Timestamp};

/// Setting that is there once an admin has closed the first steps.
const SETTING: &str = "first_week";
/// Fact: an admin has closed the first steps.
pub const CLOSED: &str = "closed";
/// Fact: the desk is no longer new.
pub const OLD: &str = "old";

/// Returns the facts that hold: words of [`domain::accounts::first_week::FirstStep`], [`CLOSED`] and [`OLD`]. A desk whose
/// first account was created before `new_since` is old.
pub async fn facts(
    conn: Conn<'_>,
    account: AccountId,
    new_since: Timestamp,
) -> Result<Vec<String>, StoreError> {
    Ok(with_conn!(conn, c => sqlx::query_scalar(
        "select 'write' as fact where exists (select 1 from article where owner_id = $1)
         union all
         select 'invite' where exists (select 1 from account where id <> $1)
                            or exists (select 1 from invitation where purpose = 'invite')
         union all
         select 'mail' where exists (select 1 from channel
                                      where transport = 'mail' and endpoint not like '%\"host\":\"\"%')
         union all
         select 'slots' where exists (select 1 from slot_plan)
         union all
         select 'look' where exists (select 1 from setting where name = 'site_look')
         union all
         select 'import' where exists (select 1 from import where state = 'done')
         union all
         select 'passkey' where exists (select 1 from passkey where account_id = $1)
         union all
         select 'closed' where exists (select 1 from setting where name = $3)
         union all
         select 'old' where exists (select 1 from account where created_at < $2)")
        .bind(account.0).bind(new_since.millis()).bind(SETTING).fetch_all(c).await)?)
}

/// Closes the first steps.
pub async fn close(conn: Conn<'_>) -> Result<(), StoreError> {
    setting::put_if_absent(conn, SETTING, CLOSED).await.map(drop)
}
