//! What a notification about a review says, in a mail and in the app.

sets!(mail: ReviewWords);
