//! How a hint is written in Redis: `task|version` in the future set, `task|version|moved_ms` on the publish list.
//!
//! The task in base64: hexadecimal digits would take a hint over the next size class of the server's allocator.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD as BASE64};
use domain::{Hint, TaskId, Timestamp, Version};
use uuid::Uuid;

/// A hint as the server has it, or whatever somebody else wrote there: that need not even be text.
pub(crate) type Raw = Vec<u8>;

/// A hint in the future set. Short: there may be a hundred thousand.
pub(crate) fn waiting(hint: &Hint) -> String {
    format!("{}|{}", BASE64.encode(hint.task.0.as_bytes()), hint.version.0)
}

/// A hint on the publish list.
pub(crate) fn due(hint: &Hint, moved_at: Timestamp) -> String {
    format!("{}|{}", waiting(hint), moved_at.millis())
}

/// Reads a hint of the publish list. `None`: somebody else wrote it; it is dropped.
pub(crate) fn read_due(raw: &[u8]) -> Option<(TaskId, Version, Timestamp)> {
    let mut parts = std::str::from_utf8(raw).ok()?.split('|');
    let (task, version, moved) = (parts.next()?, parts.next()?, parts.next()?);
    let task = Uuid::from_slice(&BASE64.decode(task).ok()?).ok()?;
    let read = (TaskId(task), Version(version.parse().ok()?), Timestamp::from_millis(moved.parse().ok()?));
    parts.next().is_none().then_some(read)
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::Lane;

    #[test]
    fn a_due_hint_reads_back_and_nonsense_does_not() {
        let (task, version, at) = (TaskId::fresh(), Version(7), Timestamp::from_millis(1_763_718_435_123));
        let hint = Hint { task, version, due_at: at, lane: Lane::Normal, bucket: 0 };
        assert_eq!(read_due(due(&hint, at).as_bytes()), Some((task, version, at)));
        for odd in ["", "x|1|2", &waiting(&hint), &format!("{}|9", due(&hint, at))] {
            assert_eq!(read_due(odd.as_bytes()), None, "{odd}");
        }
        assert_eq!(read_due(b"\xFF|1|2"), None);
    }
}
