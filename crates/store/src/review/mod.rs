//! Content review and review of articles.

pub mod approval;
pub mod asked;
pub mod due_reviews;
pub mod link_answer;
pub mod released_task;
#[expect(clippy::module_inception, reason = "the folder is the feature, the file is the table")]
pub mod review;
pub mod review_comment;
pub mod review_link;
pub mod review_settings;
pub mod submission;
pub mod word_list;
pub mod word_list_revision;
