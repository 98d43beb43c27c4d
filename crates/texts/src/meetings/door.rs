//! Texts of the page at the door of a room.

sets!(meetings: DoorTexts);
