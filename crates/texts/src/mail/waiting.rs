//! What the organizer of a meeting that waits for a room is notified of when the room is free.

sets!(mail: WaitingWords);
