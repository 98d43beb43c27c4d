//! Live streams: so many of one person, and so many of all together.

use domain::PersonId;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

/// Most live streams of all people at once.
const ALL: usize = 2_000;

/// The open streams of this node.
pub struct Streams {
    per_person: usize,
    open: Mutex<HashMap<PersonId, usize>>,
}

/// Why there is no place for another stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Full {
    /// This person has as many as one may have.
    Person(usize),
    /// All people together have.
    All,
}

/// The right to one stream, until it is dropped.
pub struct Place {
    streams: Arc<Streams>,
    person: PersonId,
}

impl Streams {
    /// No stream is open.
    #[must_use]
    pub fn new(per_person: u32) -> Self {
        Self { per_person: usize::try_from(per_person).unwrap_or(usize::MAX), open: Mutex::default() }
    }

    /// Takes a place for one more stream of this person.
    pub fn open(self: &Arc<Self>, person: PersonId) -> Result<Place, Full> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.get(&person).is_some_and(|own| *own >= self.per_person) {
            return Err(Full::Person(self.per_person));
        }
        if open.values().sum::<usize>() >= ALL {
            return Err(Full::All);
        }
        *open.entry(person).or_default() += 1;
        Ok(Place { streams: Arc::clone(self), person })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self.streams.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = open.get_mut(&self.person) {
            *own -= 1;
            if *own == 0 {
                open.remove(&self.person);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_person_cannot_take_the_places_of_others() {
        let streams = Arc::new(Streams::new(20));
        let (greedy, other) = (PersonId::fresh(), PersonId::fresh());
        let mut places: Vec<_> = (0..20).map(|_| streams.open(greedy).unwrap()).collect();
        assert_eq!(streams.open(greedy).err(), Some(Full::Person(20)));
        assert!(streams.open(other).is_ok());
        places.pop();
        assert!(streams.open(greedy).is_ok(), "a closed stream gives its place back");
    }

    #[test]
    fn all_together_have_a_limit_and_leave_nothing_behind() {
        let streams = Arc::new(Streams::new(20));
        let places: Vec<_> = (0..100)
            .flat_map(|_| {
                let one = PersonId::fresh();
                (0..20).map(move |_| one)
            })
            .map(|one| streams.open(one).unwrap())
            .collect();
        assert_eq!(streams.open(PersonId::fresh()).err(), Some(Full::All));
        drop(places);
        assert!(streams.open.lock().unwrap().is_empty());
    }
}
