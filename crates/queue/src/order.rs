//! Order among due hints: priority, then the class of the kind. Each pair has lists of its own.
//!
//! The first class of a priority, content, has the lists of releases without classes: hints of their nodes
//! stay valid, and those nodes find hints of content.

use domain::{KindClass, Priority};

/// Number of classes.
pub(crate) const CLASSES: usize = KindClass::ALL.len();
/// Number of lists of one bucket.
pub(crate) const RANKS: usize = Priority::ALL.len() * CLASSES;
/// One of this number of places of a batch is kept for each class beside content, while hints of it wait.
const RESERVED_PART: usize = 10;
/// Rounds between those in which a small batch has a place for [`KindClass::People`] and
/// [`KindClass::Machines`].
const CLASS_OFFSET: usize = 5;

/// Which hints are moved or popped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HintScope {
    /// All hints.
    All,
    /// Those of high priority, and content of each priority.
    Urgent,
    /// Those of high priority.
    High,
}

/// Priority and class: the lower one comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rank {
    pub priority: Priority,
    pub class: KindClass,
}

impl Rank {
    /// Returns all ranks in their order.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        let of = |priority: &Priority| {
            let priority = *priority;
            KindClass::ALL.iter().map(move |class| Self { priority, class: *class })
        };
        Priority::ALL.iter().flat_map(of)
    }

    /// Returns its index among all ranks.
    pub(crate) fn index(self) -> usize {
        self.priority as usize * CLASSES + self.class as usize
    }
}

impl HintScope {
    /// Returns how many classes of a priority it contains, from content on.
    pub(crate) fn classes(self, priority: Priority) -> usize {
        match (self, priority) {
            (Self::All, _) | (_, Priority::High) => CLASSES,
            (Self::Urgent, _) => 1,
            (Self::High, _) => 0,
        }
    }

    /// Returns its ranks in their order.
    pub(crate) fn ranks(self) -> impl Iterator<Item = Rank> {
        Rank::all().filter(move |rank| (rank.class as usize) < self.classes(rank.priority))
    }
}

/// Divides `limit` places among the classes of one priority; `waiting` are their numbers of hints. People
/// and machines get a tenth each while others wait for the rest, and content comes before both. In a small
/// batch they get a place in one of several rounds; `round` counts them.
pub(crate) fn divide(limit: usize, waiting: [usize; CLASSES], round: usize) -> [usize; CLASSES] {
    let [content, people, machines] = waiting;
    let mut counts = [0, people.min(reserved(limit, round, 0)), machines.min(reserved(limit, round, 1))];
    let mut left = limit.saturating_sub(counts[1] + counts[2]);
    for (count, waiting) in counts.iter_mut().zip([content, people, machines]) {
        let more = (waiting - *count).min(left);
        *count += more;
        left -= more;
    }
    counts
}

/// Returns the number of places that are kept for a class; `other`: its number beside content. The script
/// `pop.lua` has the same rule.
fn reserved(limit: usize, round: usize, other: usize) -> usize {
    let turn = (round + 1 + other * CLASS_OFFSET) % RESERVED_PART;
    limit / RESERVED_PART + usize::from(turn < limit % RESERVED_PART)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_takes_what_others_do_not_keep() {
        assert_eq!(divide(500, [1_000, 1_000, 1_000], 0), [400, 50, 50]);
        assert_eq!(divide(500, [1_000, 0, 1_000], 0), [450, 0, 50]);
        assert_eq!(divide(500, [1, 7, 100_000], 0), [1, 7, 492]);
        assert_eq!(divide(500, [1_000, 3, 0], 0), [497, 3, 0]);
        assert_eq!(divide(0, [1, 1, 1], 0), [0; 3]);
    }

    #[test]
    fn small_batches_serve_each_class_in_turn_and_never_exceed_their_limit() {
        for limit in 1..=30 {
            let mut sum = [0; CLASSES];
            for round in 0..100 {
                let counts = divide(limit, [1_000; CLASSES], round);
                assert_eq!(counts.iter().sum::<usize>(), limit, "limit {limit}, round {round}");
                for (sum, count) in sum.iter_mut().zip(counts) {
                    *sum += count;
                }
            }
            assert_eq!(sum, [80 * limit, 10 * limit, 10 * limit], "limit {limit}");
        }
    }

    #[test]
    fn a_scope_has_its_ranks_in_order() {
        let count = |scope: HintScope| scope.ranks().count();
        assert_eq!([HintScope::All, HintScope::Urgent, HintScope::High].map(count), [RANKS, 5, 3]);
        assert!(HintScope::All.ranks().map(Rank::index).eq(0..RANKS));
        assert!(HintScope::Urgent.ranks().is_sorted());
    }
}
