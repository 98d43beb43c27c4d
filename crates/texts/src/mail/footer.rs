//! Why a person gets a mail, and how to get no more.

sets!(mail: MailFooterWords, StopMailTexts);
