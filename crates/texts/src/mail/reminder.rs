//! What a reminder of a meeting says, in a mail, a short message and the bell; and the page to check in.

sets!(mail: ReminderWords, CheckInTexts);
