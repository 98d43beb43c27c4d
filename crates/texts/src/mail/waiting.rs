//! What the organizer of a meeting that waits for a room is notified of when the room is free.

use crate::texts;

texts! {
    /// Lines of the offer of a room.
    WaitingWords {
        is_free(title: &str) = "The room for “{title}” is free.", "“{title}”的会议室已空出。";
        accept_by(moment: &str) = "It is held for you. Accept it until: {moment}", "已为你保留，请在此之前接受：{moment}";
    }
}
