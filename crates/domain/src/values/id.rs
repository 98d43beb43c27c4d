//! Ids: UUID v7, sortable by creation time. They are hard to guess, but never used as secrets.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use uuid::Uuid;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl $name {
            /// Generates an id that is greater than all earlier ones of this process.
            #[must_use]
            pub fn generate() -> Self {
                Self(Uuid::now_v7())
            }
        }
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
        impl FromStr for $name {
            type Err = uuid::Error;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Uuid::from_str(text).map(Self)
            }
        }
        impl From<$name> for Uuid {
            fn from(id: $name) -> Self {
                id.0
            }
        }
        impl From<Uuid> for $name {
            fn from(id: Uuid) -> Self {
                Self(id)
            }
        }
    };
}

id!(
    /// Id of a task.
    TaskId
);
id!(
    /// Id of a change of many tasks.
    BatchId
);
id!(
    /// Id of a saved view of a list.
    SavedViewId
);
id!(
    /// Id of a browser that shows notifications.
    PushDeviceId
);
id!(
    /// Id of an article.
    ArticleId
);
id!(
    /// Id of a revision of an article.
    RevisionId
);
id!(
    /// Id of a file of the media library.
    MediaId
);
id!(
    /// Id of an import of articles.
    ImportId
);
id!(
    /// Id of a release of articles.
    ReleaseId
);
id!(
    /// Id of an account.
    AccountId
);
id!(
    /// Id of a group of accounts.
    GroupId
);
id!(
    /// Id of a passkey.
    PasskeyId
);
id!(
    /// Id of a provider of OpenID Connect with which people sign in.
    ProviderId
);
id!(
    /// Id of an API token (not its secret).
    TokenId
);
id!(
    /// Id of a channel.
    ChannelId
);
id!(
    /// Id of a delayed message.
    MessageId
);
id!(
    /// Id of a signal.
    SignalId
);
id!(
    /// Id of a rule.
    RuleId
);
id!(
    /// Id of a wait of a rule.
    WaitId
);
id!(
    /// Id of a delivery.
    DeliveryId
);
id!(
    /// Id of a post: an article on another site.
    PostId
);
id!(
    /// Id of a word list.
    WordListId
);
id!(
    /// Id of a room.
    RoomId
);
id!(
    /// Id of a meeting.
    MeetingId
);
id!(
    /// Id of a reminder.
    ReminderId
);
id!(
    /// Id of a notification.
    NotificationId
);
id!(
    /// Id of a node: one process that serves a database.
    NodeId
);
