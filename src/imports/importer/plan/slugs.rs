//! Slugs in use, and who took them in this import.

use crate::{
    imports::importer::{file::File, problem::Problem, report::Report},
    text::slug,
};
use std::collections::{HashMap, HashSet};

/// Slugs in use.
#[derive(Debug, Default)]
pub struct Slugs {
    all: HashSet<String>,
    /// Titles of the articles that took a slug in this import.
    taken: HashMap<String, String>,
}

impl Slugs {
    /// Starts with the slugs of the desk.
    pub fn new(all: Vec<String>) -> Self {
        Self { all: all.into_iter().collect(), taken: HashMap::new() }
    }

    /// Replaces the slugs of the desk by those that were read again.
    pub fn set(&mut self, all: Vec<String>) {
        self.all = all.into_iter().collect();
    }

    /// Whether no slug is in use.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Reserves a slug for the article with this title. Returns whether it was free.
    pub fn take_if_free(&mut self, slug: &str, title: &str) -> bool {
        let is_free = self.all.insert(slug.to_owned());
        if is_free {
            self.taken.insert(slug.to_owned(), title.to_owned());
        }
        is_free
    }

    /// Reserves the requested slug, with a number if it is taken.
    pub fn take(&mut self, requested: &str, title: &str) -> String {
        let name = if self.all.contains(requested) {
            let mut free = (2..).map(|number| slug::with_number(requested, number));
            free.find(|name| !self.all.contains(name)).unwrap_or_default()
        } else {
            requested.to_owned()
        };
        self.take_if_free(&name, title);
        name
    }

    /// Reserves the slug of a new article. If the file names a slug that is taken, the report says by
    /// which article, because links to the old address lead there.
    pub fn take_for(&mut self, file: &File, report: &mut Report) -> String {
        let slug = self.take(&file.slug, &file.title);
        if file.is_slug_given && slug != file.slug {
            let other = match self.taken.get(&file.slug) {
                Some(title) => format!("“{title}” of this import"),
                None => "an article of this desk".to_owned(),
            };
            let why =
                format!("its address {} is taken by {other}; this one has the address {slug}", file.slug);
            report.warn(&file.path, Problem::at(0, why));
        }
        slug
    }
}
