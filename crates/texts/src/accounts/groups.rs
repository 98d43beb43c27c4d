//! Texts of groups of accounts.

sets!(accounts: GroupTexts);
