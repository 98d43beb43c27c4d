//! Names of keys and channels in Redis. Each bucket has one hash tag: in a cluster all its keys are
//! in the same slot.

use crate::order::Rank;
use domain::{Hint, KindClass};
use std::collections::BTreeMap;

/// Key names with a common prefix, so that several installations (or tests) can share a server.
#[derive(Debug, Clone)]
pub(crate) struct Keys {
    prefix: String,
}

impl Keys {
    /// Returns the names that start with `prefix`.
    pub(crate) fn with_prefix(prefix: &str) -> Self {
        Self { prefix: prefix.to_owned() }
    }

    /// ZSET of hints by due time.
    pub(crate) fn future(&self, bucket: u16, rank: Rank) -> String {
        self.of_rank("future", bucket, rank)
    }

    /// LIST of due hints.
    pub(crate) fn publish(&self, bucket: u16, rank: Rank) -> String {
        self.of_rank("publish", bucket, rank)
    }

    /// Keys of content have the names of releases without classes.
    fn of_rank(&self, what: &str, bucket: u16, Rank { priority, class }: Rank) -> String {
        let mut name = format!("{}:{{{bucket}}}:{what}:{priority}", self.prefix);
        if class != KindClass::Content {
            name.push(':');
            name.push_str(class.as_str());
        }
        name
    }

    /// STRING: until when the feeder has loaded a bucket.
    pub(crate) fn loaded_until(&self, bucket: u16) -> String {
        format!("{}:{{{bucket}}}:fed", self.prefix)
    }

    /// ZSET of nodes by the time of their last announcement.
    pub(crate) fn members(&self) -> String {
        format!("{}:nodes", self.prefix)
    }

    /// STRING: random id stored when the server is found empty.
    pub(crate) fn data_id(&self) -> String {
        format!("{}:era", self.prefix)
    }

    /// Channel: a hint became the first of a future set.
    pub(crate) fn head_channel(&self) -> String {
        format!("{}:head", self.prefix)
    }

    /// Channel: hints were added directly to a publish list.
    pub(crate) fn due_channel(&self) -> String {
        format!("{}:due", self.prefix)
    }
}

/// Groups hints by the key that holds them: bucket and rank.
pub(crate) fn group_by_key(hints: &[Hint]) -> BTreeMap<(u16, Rank), Vec<Hint>> {
    let mut groups = BTreeMap::<_, Vec<Hint>>::new();
    for hint in hints {
        let rank = Rank { priority: hint.priority, class: hint.class };
        groups.entry((hint.bucket, rank)).or_default().push(*hint);
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::Priority;

    #[test]
    fn all_keys_of_a_bucket_have_its_hash_tag() {
        let keys = Keys::with_prefix("pt");
        let rank = |priority, class| Rank { priority, class };
        assert_eq!(keys.future(3, rank(Priority::High, KindClass::Content)), "pt:{3}:future:high");
        assert_eq!(keys.publish(3, rank(Priority::Low, KindClass::Machines)), "pt:{3}:publish:low:machines");
        assert_eq!(keys.loaded_until(3), "pt:{3}:fed");
    }
}
