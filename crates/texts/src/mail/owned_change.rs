//! What an account is notified of changes that others made to what belongs to it.

sets!(mail: ChangeWords);
