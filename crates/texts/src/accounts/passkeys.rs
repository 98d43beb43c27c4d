//! Texts of passkeys: the log-in page, the profile, the accounts, and the confirmation in place of the password.

sets!(accounts: PasskeyTexts);
