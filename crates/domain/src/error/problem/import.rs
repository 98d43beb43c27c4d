//! Why an import is refused.

use crate::values::import::{ImportState, ImportSystem};
use serde::{Deserialize, Serialize};

/// Maximum number of imports that wait to be started.
pub const MAX_WAITING_IMPORTS: u32 = 5;

/// Why an upload or an action of an import is refused. Nothing was stored or changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ImportProblem {
    /// No file was sent.
    #[error("choose a file first; nothing was stored")]
    NoFile,
    /// The upload could not be read.
    #[error("the upload was not complete; nothing was stored, try again")]
    Unreadable,
    /// The file is too large.
    #[error("the file is larger than {max_mb} MB; export it in parts")]
    TooLarge {
        /// Maximum, MB.
        max_mb: u32,
    },
    /// The file is of another kind than the chosen system writes.
    #[error("{}", wrong_kind(*.system))]
    WrongKind {
        /// The chosen system.
        system: ImportSystem,
    },
    /// The file cannot be imported.
    #[error("the file cannot be imported: {why}")]
    Invalid {
        /// Why, in English.
        why: String,
    },
    /// Too many uploads wait.
    #[error("{MAX_WAITING_IMPORTS} uploaded files wait to be imported; import or discard one of them first")]
    TooMany,
    /// Another import is running.
    #[error("another import is running; wait until it has ended")]
    Running,
    /// The uploaded file is gone.
    #[error("the uploaded file is not on this server any more; upload it again")]
    FileGone,
    /// Its state does not allow the action.
    #[error("this import is {state}; that is not possible in this state")]
    WrongState {
        /// Its state.
        state: ImportState,
    },
    /// The text that another site has of an article cannot be shown or taken.
    #[error("the text on the site cannot be shown or taken: {why}")]
    Site {
        /// Why, in English.
        why: String,
    },
    /// The disk of the server is full.
    #[error("the disk of the server is full; nothing was stored, and everything else keeps working")]
    DiskFull,
}

impl ImportProblem {
    /// The code in API errors.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NoFile => "no_file",
            Self::Unreadable => "unreadable",
            Self::TooLarge { .. } => "too_large",
            Self::WrongKind { .. } => "wrong_kind",
            Self::Invalid { .. } => "invalid_file",
            Self::TooMany => "too_many_imports",
            Self::Running => "import_running",
            Self::FileGone => "file_gone",
            Self::WrongState { .. } => "wrong_state",
            Self::Site { .. } => "site_text",
            Self::DiskFull => "disk_full",
        }
    }

    /// The HTTP status.
    #[must_use]
    pub const fn status(&self) -> u16 {
        match self {
            Self::TooLarge { .. } => 413,
            Self::NoFile | Self::Unreadable | Self::WrongKind { .. } | Self::Invalid { .. } => 422,
            Self::TooMany | Self::Running | Self::FileGone | Self::WrongState { .. } | Self::Site { .. } => {
                409
            }
            Self::DiskFull => 507,
        }
    }
}

fn wrong_kind(system: ImportSystem) -> &'static str {
    match system {
        ImportSystem::Wordpress => {
            "this is not an export of WordPress, which is an XML file; choose Tools, Export, All content there"
        }
        ImportSystem::Ghost => {
            "this is not an export of Ghost, which is a JSON file; choose Settings, Export there"
        }
        ImportSystem::Markdown => {
            "this is not a zip archive; pack the folder of Markdown files and pictures as a .zip file"
        }
    }
}
