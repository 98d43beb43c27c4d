//! Systems from which articles are imported, and states of imports.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

macro_rules! words {
    ($name:ident { $($variant:ident = $word:literal),+ $(,)? }) => {
        impl $name {
            /// All words.
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            /// The word in the database and the API.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }
        }

        impl FromStr for $name {
            type Err = ();
            fn from_str(text: &str) -> Result<Self, ()> {
                match text { $($word => Ok(Self::$variant),)+ _ => Err(()) }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

/// The system that wrote an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ImportSystem {
    /// WordPress: XML.
    Wordpress,
    /// Ghost: JSON.
    Ghost,
    /// Markdown files with front matter and pictures: an archive (zip), as `presstime export` writes.
    Markdown,
}

words!(ImportSystem { Wordpress = "wordpress", Ghost = "ghost", Markdown = "markdown" });

impl ImportSystem {
    /// Maximum size of an export, MB.
    #[must_use]
    pub const fn max_mb(self) -> u32 {
        match self {
            Self::Wordpress | Self::Markdown => 200,
            Self::Ghost => 100,
        }
    }

    /// Maximum size of an export, bytes.
    #[must_use]
    pub const fn max_bytes(self) -> u64 {
        self.max_mb() as u64 * 1_000_000
    }
}

/// State of an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ImportState {
    /// The export is being checked: a dry run.
    Checking,
    /// The check has ended.
    Ready,
    /// The check could not be completed; nothing was imported.
    Failed,
    /// It is running.
    Running,
    /// It has ended.
    Done,
    /// It did not end: what was imported is complete, and a repeated run continues.
    Interrupted,
    /// It was undone.
    Undone,
}

words!(ImportState {
    Checking = "checking",
    Ready = "ready",
    Failed = "failed",
    Running = "running",
    Done = "done",
    Interrupted = "interrupted",
    Undone = "undone",
});

impl ImportState {
    /// Whether something happens by itself.
    #[must_use]
    pub const fn is_active(self) -> bool {
        matches!(self, Self::Checking | Self::Running)
    }

    /// Whether it can be started.
    #[must_use]
    pub const fn may_run(self) -> bool {
        matches!(self, Self::Ready | Self::Interrupted)
    }

    /// Whether its articles can be moved to the trash.
    #[must_use]
    pub const fn may_undo(self) -> bool {
        matches!(self, Self::Done | Self::Interrupted | Self::Undone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_as_they_are_written() {
        assert!(ImportState::WORDS.iter().all(|word| word.parse::<ImportState>().unwrap().as_str() == *word));
        assert!(
            ImportSystem::WORDS.iter().all(|word| word.parse::<ImportSystem>().unwrap().as_str() == *word)
        );
        assert!("drupal".parse::<ImportSystem>().is_err());
    }
}
