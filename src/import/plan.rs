//! What becomes of a file: compared with what is known, decided by its date and the wishes of whoever imports.

use super::{Import, Pace, file::File, report::Report};
use crate::{house::House, text::slug, trouble::Trouble};
use domain::Timestamp;
use std::collections::{HashMap, HashSet};
use store::{Who, import};
use uuid::Uuid;

/// What the desk holds already, and how far the pace has come.
#[derive(Debug)]
pub struct Known {
    articles: HashMap<String, import::Known>,
    slugs: HashSet<String>,
    paced: i64,
}

/// What becomes of one file.
#[derive(Debug)]
pub struct Plan {
    /// The file.
    pub file: File,
    /// How its text is written.
    pub text: Text,
    /// Its name in the address, for a new article.
    pub slug: String,
    /// What happens besides.
    pub then: Then,
}

/// How the text of a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Text {
    /// As a new article.
    Create,
    /// As a new revision of an article.
    Update {
        /// Which one.
        id: Uuid,
        /// The number of its current revision.
        revision: i32,
        /// Since when it is public.
        published_at: Option<Timestamp>,
    },
    /// Not at all: it is what it was.
    Keep {
        /// Which one.
        id: Uuid,
    },
}

/// What happens to the article of a file besides its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Then {
    /// Nothing: a draft, or what it was.
    Nothing,
    /// It is public since then.
    Publish(Timestamp),
    /// It becomes public then.
    Schedule(Timestamp),
}

impl Known {
    /// All that came from files, and all names that are taken.
    pub async fn read(house: &House) -> Result<Self, Trouble> {
        let mut lease = house.parts.store.read(Who::People).await?;
        let articles = import::known(lease.conn()).await?;
        let slugs = import::slugs(lease.conn()).await?;
        Ok(Self {
            articles: articles.into_iter().map(|known| (known.import_path.clone(), known)).collect(),
            slugs: slugs.into_iter().collect(),
            paced: 0,
        })
    }

    /// Reads the taken names again, after somebody else took one of ours.
    pub async fn read_slugs(&mut self, house: &House) -> Result<(), Trouble> {
        let mut lease = house.parts.store.read(Who::People).await?;
        self.slugs = import::slugs(lease.conn()).await?.into_iter().collect();
        Ok(())
    }

    /// Decides what becomes of a file and notes what it takes.
    pub fn plan(&mut self, file: File, import: &Import, now: Timestamp, report: &mut Report) -> Plan {
        for missing in &file.missing {
            report.warn(&file.path, missing.clone());
        }
        let known = self.articles.get(&file.path);
        let text = match known {
            None => Text::Create,
            Some(known) if known.import_hash == file.hash => Text::Keep { id: known.id },
            Some(known) => Text::Update {
                id: known.id,
                revision: known.revision,
                published_at: known.published_at.map(Timestamp::from_millis),
            },
        };
        // Once somebody has planned, published or unpublished an article, its file does not decide any more.
        let is_open = known.is_none_or(|known| known.published_at.is_none() && known.has_tasks == 0);
        let then = match text {
            Text::Update { published_at: Some(at), .. } if import.publish_past && !file.is_draft => {
                Then::Publish(at)
            }
            _ if !is_open || file.is_draft => Then::Nothing,
            _ => self.then(file.date, import, now),
        };
        let slug = if text == Text::Create { self.take_slug(&file.slug) } else { String::new() };
        Plan { file, text, slug, then }
    }

    fn then(&mut self, date: Option<Timestamp>, import: &Import, now: Timestamp) -> Then {
        match (date, import.pace) {
            (Some(at), _) if at <= now && import.publish_past => Then::Publish(at),
            (_, Some(Pace { from, every_ms })) => {
                let due = from.plus(every_ms.saturating_mul(self.paced));
                self.paced += 1;
                Then::Schedule(due)
            }
            (Some(at), None) if at > now => Then::Schedule(at),
            _ => Then::Nothing,
        }
    }

    /// The wanted name, with a number if it is taken.
    pub fn take_slug(&mut self, wanted: &str) -> String {
        let name = if self.slugs.contains(wanted) {
            let mut free = (2..).map(|number| slug::numbered(wanted, number));
            free.find(|name| !self.slugs.contains(name)).unwrap_or_default()
        } else {
            wanted.to_owned()
        };
        self.slugs.insert(name.clone());
        name
    }
}
