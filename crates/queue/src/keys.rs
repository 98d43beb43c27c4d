//! Names of keys and channels in Redis. One hash tag a bucket: all keys of a bucket live in one slot of a cluster.

use domain::Lane;

/// The names under one prefix, so that several desks (or tests) can share a server.
#[derive(Debug, Clone)]
pub(crate) struct Keys {
    prefix: String,
}

impl Keys {
    /// Names beginning with `prefix`.
    pub(crate) fn under(prefix: &str) -> Self {
        Self { prefix: prefix.to_owned() }
    }

    /// ZSET of hints by due time.
    pub(crate) fn future(&self, bucket: u16, lane: Lane) -> String {
        format!("{}:{{{bucket}}}:future:{lane}", self.prefix)
    }

    /// LIST of due hints.
    pub(crate) fn publish(&self, bucket: u16, lane: Lane) -> String {
        format!("{}:{{{bucket}}}:publish:{lane}", self.prefix)
    }

    /// How far the feeder has loaded a bucket.
    pub(crate) fn fed(&self, bucket: u16) -> String {
        format!("{}:{{{bucket}}}:fed", self.prefix)
    }

    /// ZSET of nodes by when they last showed themselves.
    pub(crate) fn nodes(&self) -> String {
        format!("{}:nodes", self.prefix)
    }

    /// The name of the time since the server last forgot everything.
    pub(crate) fn era(&self) -> String {
        format!("{}:era", self.prefix)
    }

    /// Channel: a hint became the head of a future set.
    pub(crate) fn head_channel(&self) -> String {
        format!("{}:head", self.prefix)
    }

    /// Channel: hints were put straight on a publish list.
    pub(crate) fn due_channel(&self) -> String {
        format!("{}:due", self.prefix)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_keys_of_a_bucket_have_its_hash_tag() {
        let keys = Keys::under("pt");
        assert_eq!(keys.future(3, Lane::High), "pt:{3}:future:high");
        assert_eq!(keys.publish(3, Lane::Low), "pt:{3}:publish:low");
        assert_eq!(keys.fed(3), "pt:{3}:fed");
    }
}
