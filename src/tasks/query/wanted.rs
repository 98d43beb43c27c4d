//! What a query of tasks asks for, with the filters in its search.

use crate::{kinds, services::internal_error, zone::Zone};
use domain::{
    Actor, DomainError, Kind, State, Timestamp,
    base::{
        calendar::add_days,
        local_time::{date_text, parse_date},
    },
    error::ValidationError,
    input_limits::MAX_SEARCH_CHARS,
    series::ZoneRules as _,
    task::TaskQuery,
    tasks::{search_filters, search_filters::OF_TASKS},
};
use store::{Conn, account, task_page::TaskFilter};
use uuid::Uuid;

/// The filters of a query.
pub struct Wanted {
    state: Option<State>,
    kind: Option<Kind>,
    from: i64,
    to: i64,
    owner: Option<Uuid>,
    q: Option<String>,
    is_descending: bool,
    hidden_kinds: &'static str,
}

impl Wanted {
    /// Reads a query; `Invalid` names the field. A filter in the search counts instead of the same one
    /// outside of it.
    pub async fn of(
        conn: Conn<'_>,
        actor: &Actor,
        query: &TaskQuery,
        now: Timestamp,
    ) -> Result<Self, DomainError> {
        let q = query.q.as_deref().unwrap_or_default();
        if q.chars().count() > MAX_SEARCH_CHARS {
            let max = u32::try_from(MAX_SEARCH_CHARS).unwrap_or(u32::MAX);
            return Err(DomainError::invalid("q", ValidationError::TooLong { max }));
        }
        let found = search_filters::split(q, &OF_TASKS);
        let kinds = kinds::words();
        let due = found.get("due").map(|word| due(actor, word, now)).transpose()?.unwrap_or_default();
        let state = found.word("state", State::NAMES)?;
        Ok(Self {
            state: state.or(due.2).or(query.state),
            kind: found.word("kind", &kinds)?.or(query.kind),
            from: [query.from, due.0].into_iter().flatten().max().map_or(i64::MIN, Timestamp::millis),
            to: [query.to, due.1].into_iter().flatten().min().map_or(i64::MAX, Timestamp::millis),
            owner: match found.get("owner") {
                Some(name) => Some(owner(conn, actor, name, "q").await?),
                None => None,
            },
            q: Some(found.text).filter(|text| !text.is_empty()),
            is_descending: query.is_latest_first,
            hidden_kinds: kinds::words_hidden_from(actor),
        })
    }

    /// The filter of the rows, from the first one on.
    pub fn filter(&self, limit: i64) -> TaskFilter<'_> {
        TaskFilter {
            state: self.state,
            kind: self.kind,
            from: self.from,
            to: self.to,
            owner: self.owner,
            q: self.q.as_deref(),
            is_descending: self.is_descending,
            hidden_kinds: self.hidden_kinds,
            start: None,
            limit,
        }
    }
}

/// The account that a text names: `me`, or the name of a person. `Invalid` (`field`) if no account has it.
pub async fn owner(conn: Conn<'_>, actor: &Actor, name: &str, field: &str) -> Result<Uuid, DomainError> {
    if name.eq_ignore_ascii_case("me") {
        return Ok(actor.account.0);
    }
    let found = account::id_of_name(conn, name).await.map_err(internal_error)?;
    found.ok_or_else(|| {
        let why = format!("names “{name}”, which is not the name of a person; use me or a \"Full Name\"");
        DomainError::invalid(field, ValidationError::Unreadable { why })
    })
}

/// First moment, end, and state that a due time means.
type Due = (Option<Timestamp>, Option<Timestamp>, Option<State>);

fn due(actor: &Actor, word: &str, now: Timestamp) -> Result<Due, DomainError> {
    let zone = Zone::stored(&actor.zone);
    let unknown = || {
        let words = search_filters::examples(&OF_TASKS, "due").join(", ");
        DomainError::invalid("q", ValidationError::NotOneOf { words })
    };
    let today = zone.local_at(now).ok_or_else(unknown)?.date();
    let date = match word.to_lowercase().as_str() {
        "today" => today,
        "tomorrow" => add_days(today, 1).ok_or_else(unknown)?,
        "overdue" => return Ok((None, Some(now), Some(State::Scheduled))),
        date => parse_date(date).ok_or_else(unknown)?,
    };
    let (begin, end) = zone.day_bounds("q", &date_text(date))?;
    Ok((Some(begin), Some(end), None))
}
