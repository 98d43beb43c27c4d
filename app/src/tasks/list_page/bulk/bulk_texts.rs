//! Texts of changes of many tasks: what they say of a list, and of the posting slots.

use crate::tasks::list_page::bulk::{list::BulkList, slot_change::SlotChange};
use texts::number::grouped;
pub use texts::tasks::bulk::BulkTexts;

impl BulkList {
    /// The changes that a list offers, by their words.
    #[must_use]
    pub fn changes_of(self, texts: BulkTexts) -> Vec<(&'static str, &'static str)> {
        match self {
            Self::Tasks => texts.changes(),
            Self::Articles => {
                let changes = texts.changes().into_iter().chain(texts.article_changes());
                let unschedule = texts.unschedule();
                changes.map(|(word, name)| (word, if word == "cancel" { unschedule } else { name })).collect()
            }
            Self::Meetings => vec![
                ("shift", texts.shift()),
                ("cancel", texts.cancel()),
                ("approve", texts.approve()),
                ("reject", texts.reject()),
            ],
            Self::Reminders => {
                vec![("shift", texts.shift()), ("done", texts.done()), ("cancel", texts.cancel())]
            }
        }
    }

    /// Title of the preview.
    #[must_use]
    pub fn title_of(self, texts: BulkTexts) -> &'static str {
        match self {
            Self::Tasks => texts.page_title(),
            Self::Articles => texts.articles_title(),
            Self::Meetings => texts.meetings_title(),
            Self::Reminders => texts.reminders_title(),
        }
    }

    /// How many will be changed.
    #[must_use]
    pub fn summary_of(self, texts: BulkTexts, changed: u64, matched: u64) -> String {
        let (count, total) = (grouped(changed), grouped(matched));
        match (self, changed) {
            (Self::Tasks, 0) => texts.nothing().to_owned(),
            (Self::Articles, 0) => texts.nothing_of_articles().to_owned(),
            (Self::Meetings, 0) => texts.nothing_of_meetings().to_owned(),
            (Self::Reminders, 0) => texts.nothing_of_reminders().to_owned(),
            (list, 1) if matched == 1 => list.summary_of_only(texts).to_owned(),
            (Self::Tasks, _) => texts.summary(count, total),
            (Self::Articles, _) => texts.summary_of_articles(count, total),
            (Self::Meetings, _) => texts.summary_of_meetings(count, total),
            (Self::Reminders, _) => texts.summary_of_reminders(count, total),
        }
    }

    /// The same if the only one that matches will be changed.
    fn summary_of_only(self, texts: BulkTexts) -> &'static str {
        match self {
            Self::Tasks => texts.summary_of_one(),
            Self::Articles => texts.summary_of_one_article(),
            Self::Meetings => texts.summary_of_one_meeting(),
            Self::Reminders => texts.summary_of_one_reminder(),
        }
    }

    /// The button that makes the change.
    #[must_use]
    pub fn confirm_of(self, texts: BulkTexts, count: u64) -> String {
        if count == 1 {
            return self.confirm_of_only(texts).to_owned();
        }
        let count = grouped(count);
        match self {
            Self::Tasks => texts.confirm(count),
            Self::Articles => texts.confirm_of_articles(count),
            Self::Meetings => texts.confirm_of_meetings(count),
            Self::Reminders => texts.confirm_of_reminders(count),
        }
    }

    /// The button that changes one.
    fn confirm_of_only(self, texts: BulkTexts) -> &'static str {
        match self {
            Self::Tasks => texts.confirm_one(),
            Self::Articles => texts.confirm_one_article(),
            Self::Meetings => texts.confirm_one_meeting(),
            Self::Reminders => texts.confirm_one_reminder(),
        }
    }

    /// The way back to the list.
    #[must_use]
    pub fn back_to(self, texts: BulkTexts) -> &'static str {
        match self {
            Self::Tasks => texts.back(),
            Self::Articles => texts.back_to_articles(),
            Self::Meetings => texts.back_to_meetings(),
            Self::Reminders => texts.back_to_reminders(),
        }
    }

    /// Heading of those that move.
    #[must_use]
    pub fn noun(self, texts: BulkTexts) -> &'static str {
        match self {
            Self::Tasks => texts.task(),
            Self::Articles => texts.article(),
            Self::Meetings => texts.meeting(),
            Self::Reminders => texts.reminder(),
        }
    }

    /// What the change means for each; `None`: the list of moves says it. `to`: what was typed with it.
    #[must_use]
    pub fn meaning(self, texts: BulkTexts, change: &str, to: &str) -> Option<String> {
        let plain = |sentence: &str| Some(sentence.to_owned());
        match (self, change) {
            (Self::Articles, "assign") if to.eq_ignore_ascii_case("me") => plain(texts.as_own()),
            (Self::Articles, "assign") => Some(texts.as_owner(to)),
            (Self::Articles, "add_tag") => Some(texts.with_tag(to)),
            (Self::Articles, "remove_tag") => Some(texts.without_tag(to)),
            (Self::Articles, "submit") => plain(texts.submitted_articles()),
            (Self::Articles, "cancel") => plain(texts.cancelled_next_tasks()),
            (Self::Articles, "retry") => plain(texts.retried_next_tasks()),
            (Self::Articles, "run_now") => plain(texts.run_next_tasks()),
            (Self::Tasks, "cancel") => plain(texts.cancelled_tasks()),
            (Self::Tasks, "retry") => plain(texts.retried_tasks()),
            (Self::Tasks, "run_now") => plain(texts.run_tasks()),
            (Self::Meetings, "cancel") => plain(texts.cancelled_meetings()),
            (Self::Meetings, "approve") => plain(texts.approved_meetings()),
            (Self::Meetings, "reject") => plain(texts.rejected_meetings()),
            (Self::Meetings, "shift") => plain(texts.moved_meetings()),
            (Self::Reminders, "cancel") => plain(texts.cancelled_reminders()),
            (Self::Reminders, "done") => plain(texts.done_reminders()),
            _ => None,
        }
    }
}

impl SlotChange {
    /// What moves along the slots.
    #[must_use]
    pub fn moves(self, texts: BulkTexts, count: u64) -> String {
        match (self, count) {
            (Self::CloseGap, 0) => texts.nothing_follows().to_owned(),
            (_, 0) => texts.no_move().to_owned(),
            (Self::CloseGap, 1) => texts.one_earlier().to_owned(),
            (Self::CloseGap, count) => texts.earlier(grouped(count)),
            (_, 1) => texts.one_later().to_owned(),
            (_, count) => texts.later(grouped(count)),
        }
    }
}
