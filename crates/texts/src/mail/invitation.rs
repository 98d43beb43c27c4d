//! What mails to the attendees of a meeting say.

sets!(mail: InvitationWords, AnswerNoticeWords, AnswerTexts);
