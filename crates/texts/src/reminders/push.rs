//! Texts of push messages.

sets!(reminders: PushTexts);
