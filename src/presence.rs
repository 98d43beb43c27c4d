//! Whether the nodes of a desk, and they alone, use the same Redis: each shows itself there and in SQL, and the two are compared.

use domain::{Timestamp, fault::Fault};
use queue::{Guest, Hints, Shown};
use std::{
    collections::HashSet,
    sync::{Mutex, PoisonError},
    time::Duration,
};
use uuid::Uuid;

/// So long Redis is waited for: whoever asks has other things to do.
const PATIENCE: Duration = Duration::from_millis(1_500);

/// Nodes may take so long until they have shown themselves to one another, milliseconds.
pub const MEET_MS: i64 = 10_000;

/// Since when somebody is apart, and who.
#[derive(Debug, Default)]
pub struct Apart(Mutex<Option<(Timestamp, Fault)>>);

impl Apart {
    /// Notes what was found; `None`: nobody, or it cannot be known.
    pub fn note(&self, who: Option<Fault>, now: Timestamp) {
        let mut apart = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let since = apart.as_ref().map_or(now, |(since, _)| *since);
        *apart = who.map(|who| (since, who));
    }

    /// Who is apart, if somebody has been for 10 s.
    #[must_use]
    pub fn fault(&self, now: Timestamp) -> Option<Fault> {
        let apart = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        apart.as_ref().filter(|(since, _)| now.since(*since) >= MEET_MS).map(|(_, who)| who.clone())
    }
}

/// What meeting the others brought to light.
#[derive(Debug, Default)]
pub struct Met {
    /// Who is apart, see [`trouble`]; `None`: nobody, or it cannot be known.
    pub apart: Option<Fault>,
    /// How long Redis took for an answer; `None`: it gave none.
    pub round_trip: Option<Duration>,
    /// The name of the time since Redis last forgot everything; `None`: it did not say.
    pub era: Option<Uuid>,
}

/// Shows a node in Redis, and sees who else is there.
pub async fn meet(hints: &dyn Hints, own: Guest, living: &[(Uuid, String)], now: Timestamp) -> Met {
    // What is dropped half-way is shown a second later.
    match tokio::time::timeout(PATIENCE, hints.show(own, now)).await {
        Ok(Ok(Shown { era, seen, round_trip })) => {
            Met { apart: trouble(own.desk, living, &seen), round_trip: Some(round_trip), era }
        }
        Ok(Err(_)) => Met::default(),
        Err(_) => Met { round_trip: Some(PATIENCE), ..Met::default() },
    }
}

/// Which of the living nodes of a desk were not seen in Redis, and how many of other desks were.
#[must_use]
pub fn trouble(desk: Uuid, living: &[(Uuid, String)], seen: &[Guest]) -> Option<Fault> {
    let here: HashSet<Uuid> =
        seen.iter().filter(|guest| guest.desk == desk).map(|guest| guest.node).collect();
    let absent: Vec<&str> =
        living.iter().filter(|(id, _)| !here.contains(id)).map(|(_, name)| name.as_str()).collect();
    let strangers = seen.iter().filter(|guest| guest.desk != desk).count();
    (!absent.is_empty() || strangers > 0).then(|| Fault::HintsApart { names: absent.join(", "), strangers })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_absent_and_who_is_strange_are_both_told() {
        let [desk, other, anna, ben] = [1, 2, 3, 4].map(Uuid::from_u128);
        let living = [(anna, "anna".to_owned()), (ben, "ben".to_owned())];
        let here = |desk, node| Guest { desk, node };
        assert_eq!(trouble(desk, &living, &[here(desk, anna), here(desk, ben)]), None);
        let told = trouble(desk, &living, &[here(desk, anna), here(other, anna)]).unwrap();
        assert_eq!(told, Fault::HintsApart { names: "ben".to_owned(), strangers: 1 });
        let words = told.to_string();
        assert!(words.contains("not in this Redis: ben.") && words.contains("another desk (1)"), "{words}");
    }
}
