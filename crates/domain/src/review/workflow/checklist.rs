//! The checklist of a desk: what a text should have before it is scheduled.

use super::super::found::FoundTerm;
use crate::state::{ParseEnumError, string_enum};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

pub use crate::values::review::CheckItem;

/// Maximum number of findings of one item.
pub const MAX_FINDINGS: usize = 20;

string_enum! {
    /// What follows from a finding.
    CheckMode {
        /// It is not checked.
        Off = "off",
        /// The author sees it.
        Warn = "warn",
        /// The text cannot be scheduled.
        Require = "require",
    }
}

/// The modes of all items.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checklist {
    /// Of [`CheckItem::Title`].
    pub title: CheckMode,
    /// Of [`CheckItem::Summary`].
    pub summary: CheckMode,
    /// Of [`CheckItem::AltTexts`].
    pub alt_texts: CheckMode,
    /// Of [`CheckItem::Marks`].
    pub marks: CheckMode,
    /// Of [`CheckItem::Headings`].
    pub headings: CheckMode,
    /// Of [`CheckItem::Links`].
    #[serde(default = "off")]
    pub links: CheckMode,
    /// Of [`CheckItem::OwnLinks`].
    #[serde(default = "off")]
    pub own_links: CheckMode,
}

/// Settings of an earlier release lack an item.
const fn off() -> CheckMode {
    CheckMode::Off
}

impl Default for Checklist {
    fn default() -> Self {
        let off = off();
        Self {
            title: off,
            summary: off,
            alt_texts: off,
            marks: off,
            headings: off,
            links: off,
            own_links: off,
        }
    }
}

impl Checklist {
    /// The mode of an item.
    #[must_use]
    pub const fn mode(&self, item: CheckItem) -> CheckMode {
        match item {
            CheckItem::Title => self.title,
            CheckItem::Summary => self.summary,
            CheckItem::AltTexts => self.alt_texts,
            CheckItem::Marks => self.marks,
            CheckItem::Headings => self.headings,
            CheckItem::Links => self.links,
            CheckItem::OwnLinks => self.own_links,
        }
    }

    /// Sets the mode of an item.
    pub const fn set(&mut self, item: CheckItem, mode: CheckMode) {
        *match item {
            CheckItem::Title => &mut self.title,
            CheckItem::Summary => &mut self.summary,
            CheckItem::AltTexts => &mut self.alt_texts,
            CheckItem::Marks => &mut self.marks,
            CheckItem::Headings => &mut self.headings,
            CheckItem::Links => &mut self.links,
            CheckItem::OwnLinks => &mut self.own_links,
        } = mode;
    }

    /// The items about links, if they are required; the others are off.
    #[must_use]
    pub fn required_links(&self) -> Self {
        let required = |mode| if mode == CheckMode::Require { mode } else { CheckMode::Off };
        Self { links: required(self.links), own_links: required(self.own_links), ..Self::default() }
    }

    /// The items that have this mode.
    pub fn with(&self, mode: CheckMode) -> impl Iterator<Item = CheckItem> {
        CheckItem::ALL.iter().copied().filter(move |item| self.mode(*item) == mode)
    }
}

/// A place in a text where an item of the checklist fails.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Line of the Markdown, from 1; 0: it is not in the Markdown.
    pub line: u32,
    /// Begin in the Markdown, in characters.
    pub start: usize,
    /// End in the Markdown, in characters.
    pub end: usize,
    /// What is there, shortened.
    pub quote: String,
}

/// An item of the checklist that is switched on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckedItem {
    /// What was checked.
    pub item: CheckItem,
    /// What follows from a finding.
    pub mode: CheckMode,
    /// Where it fails, at most [`MAX_FINDINGS`]; empty: it is fulfilled.
    pub findings: Vec<Finding>,
}

/// Maximum number of links that are checked.
pub const MAX_LINKS: usize = 50;
/// How long an answer of a link counts, milliseconds: 7 days.
pub const LINK_ANSWER_AGE_MS: i64 = 7 * 86_400_000;

/// A link of a text, and whether it answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckedLink {
    /// Line of the Markdown, from 1.
    pub line: u32,
    /// Its address.
    pub url: String,
    /// Why it does not; `None`: it answers.
    pub problem: Option<LinkProblem>,
}

/// Why a link does not answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "problem")]
pub enum LinkProblem {
    /// The server says that there is no such page, or that it has failed.
    Status {
        /// The HTTP status.
        status: u16,
    },
    /// No connection.
    NoConnection,
    /// No answer within the time.
    TimedOut,
    /// This server must not connect to that address, or it cannot be read.
    Forbidden,
    /// It leads to too many other addresses.
    Redirects,
}

impl LinkProblem {
    /// Its word in the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Status { .. } => "status",
            Self::NoConnection => "no_connection",
            Self::TimedOut => "timed_out",
            Self::Forbidden => "forbidden",
            Self::Redirects => "redirects",
        }
    }

    /// The problem of an answer with this status; `None`: a page is there, perhaps one that asks for a
    /// log-in, or for fewer requests.
    #[must_use]
    pub const fn of_status(status: u16) -> Option<Self> {
        match status {
            401 | 403 | 405 | 407 | 429 | 503 => None,
            400.. => Some(Self::Status { status }),
            _ => None,
        }
    }
}

/// The links of a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckedLinks {
    /// Title of the article.
    pub title: String,
    /// The links, at most [`MAX_LINKS`], by their place in the text.
    pub links: Vec<CheckedLink>,
    /// Number of further links.
    pub more: u32,
}

/// What the checklist and the word lists find in the current text of an article.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TextCheck {
    /// The items that are switched on.
    pub items: Vec<CheckedItem>,
    /// Hits of the word lists, at most [`super::super::MAX_HITS`].
    pub hits: Vec<FoundTerm>,
    /// Whether it has links that can be opened.
    pub has_links: bool,
}
