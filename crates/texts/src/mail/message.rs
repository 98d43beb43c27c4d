//! Texts of mails and text messages.

sets!(mail: MessageTexts);
