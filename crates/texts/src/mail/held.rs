//! Mails that are not sent now.

sets!(mail: HeldMailWords);
