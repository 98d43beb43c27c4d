//! Texts of the backups on the engine page.

sets!(engine: BackupTexts);
