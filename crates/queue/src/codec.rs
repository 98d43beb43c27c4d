//! Encoding of hints in Redis: `task|version` in the future set, `task|version|moved_ms` on the
//! publish list.
//!
//! The task id is in base64: with hexadecimal digits a hint would need the next larger size class
//! of the server's allocator.

use crate::order::Rank;
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD as BASE64};
use domain::{DueHint, Hint, TaskId, Timestamp, Version};
use uuid::Uuid;

/// An encoded hint as read from the server. May be any bytes, because other clients can write to
/// the key.
pub(crate) type RawHint = Vec<u8>;

/// Encodes a hint for the future set. Short, because there may be 100,000 of them.
pub(crate) fn encode_future(hint: &Hint) -> String {
    format!("{}|{}", BASE64.encode(hint.task.0.as_bytes()), hint.version.0)
}

/// Encodes a hint for the publish list.
pub(crate) fn encode_due(hint: &Hint, moved_at: Timestamp) -> String {
    format!("{}|{}", encode_future(hint), moved_at.millis())
}

/// Decodes a hint from the publish list. `None`: it was not written by Presstime, and is dropped.
pub(crate) fn decode_due(raw: &[u8]) -> Option<(TaskId, Version, Timestamp)> {
    let mut parts = std::str::from_utf8(raw).ok()?.split('|');
    let (task, version, moved) = (parts.next()?, parts.next()?, parts.next()?);
    let task = Uuid::from_slice(&BASE64.decode(task).ok()?).ok()?;
    let decoded = (TaskId(task), Version(version.parse().ok()?), Timestamp::from_millis(moved.parse().ok()?));
    parts.next().is_none().then_some(decoded)
}

/// Decodes hints from a publish list; invalid entries are dropped.
pub(crate) fn decode_all(
    raw: Vec<RawHint>,
    bucket: u16,
    rank: Rank,
    popped_at: Timestamp,
) -> impl Iterator<Item = DueHint> {
    raw.into_iter().filter_map(move |raw| {
        let (task, version, moved_at) = decode_due(&raw)?;
        let Rank { priority, class } = rank;
        Some(DueHint { task, version, priority, class, bucket, hinted_at: None, moved_at, popped_at })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{KindClass, Priority};

    #[test]
    fn a_due_hint_reads_back_and_nonsense_does_not() {
        let (task, version, at) = (TaskId::generate(), Version(7), Timestamp::from_millis(1_763_718_435_123));
        let (priority, class) = (Priority::Normal, KindClass::Content);
        let hint = Hint { task, version, due_at: at, priority, class, bucket: 0 };
        assert_eq!(decode_due(encode_due(&hint, at).as_bytes()), Some((task, version, at)));
        for odd in ["", "x|1|2", &encode_future(&hint), &format!("{}|9", encode_due(&hint, at))] {
            assert_eq!(decode_due(odd.as_bytes()), None, "{odd}");
        }
        assert_eq!(decode_due(b"\xFF|1|2"), None);
    }
}
