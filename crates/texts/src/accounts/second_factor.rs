//! Texts of the second factor: the profile, and the second step of a log-in.

sets!(accounts: SecondFactorTexts);
