//! Identities. UUID v7: sortable by creation, unguessable enough never to be a secret by itself.

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
            /// A fresh identity, later than all earlier ones of this process.
            #[must_use]
            pub fn fresh() -> Self {
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
    /// One thing that must happen at one moment.
    TaskId
);
id!(
    /// One article.
    ArticleId
);
id!(
    /// One saved text of an article.
    RevisionId
);
id!(
    /// One person with an account.
    PersonId
);
id!(
    /// One API token (not its secret).
    TokenId
);
id!(
    /// One configured way out.
    ChannelId
);
id!(
    /// One message to the outside.
    DeliveryId
);
id!(
    /// One process that serves a database.
    NodeId
);
