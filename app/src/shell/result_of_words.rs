//! Results of forms that load a page: their words name what was done.

use crate::{
    articles::server_fns::UndeleteArticle,
    deliveries::held_result::held_result,
    engine::{backup_result, pause_result},
    live::live,
    media, messages, review, rules, saved_views,
    tasks::list_page::bulk,
    ui::{
        form,
        result::{ActionResult, Undo, UndoForm, words::result_words},
    },
};
use leptos::prelude::*;
use leptos_router::hooks::use_location;
use server_fn::ServerFn;
use texts::{articles::ArticleTexts, deliveries::ChannelTexts, layout::ResultTexts};

/// Returns the result that the words of this page name, without that of a task. `None` if the page
/// shows a refused form.
pub fn find() -> Option<ActionResult> {
    let path = use_location().pathname.get_untracked();
    let words = result_words().get_untracked();
    if form::is_form_result() {
        return None;
    }
    if let Some(id) = words.get("deleted").filter(|_| path == "/articles") {
        return Some(deleted(id));
    }
    let done = words.get("done")?;
    if let Some(result) = crate::reminders::result::result_of_url(&done) {
        return Some(result);
    }
    if let Some(result) = saved_views::result::of_url(&path, &done) {
        return Some(result);
    }
    if let Some(result) = media::result::of_url(&path, &done) {
        return Some(result);
    }
    let (texts, article_texts) = (ResultTexts::here(), ArticleTexts::here());
    let article = path.strip_prefix("/articles/").filter(|rest| !rest.contains('/'));
    match (done.as_str(), article) {
        ("save", Some(_)) => Some(ActionResult::new(texts.saved())),
        ("restore", Some(id)) => {
            let revisions = format!("/articles/{id}/revisions");
            Some(ActionResult::new(texts.revision_restored()).with_link(revisions, article_texts.revisions()))
        }
        ("replace", Some(_)) => Some(ActionResult::new(texts.word_replaced())),
        ("ask_reviewers", Some(_)) => Some(ActionResult::new(texts.reviewers_asked())),
        ("submit", Some(_)) => Some(ActionResult::new(texts.submitted())),
        ("undelete", Some(_)) => Some(ActionResult::new(texts.article_restored())),
        ("rename", Some(_)) => Some(ActionResult::new(article_texts.slug_changed())),
        ("dismiss", _) => Some(ActionResult::new(texts.dismissed())),
        ("resend", _) if live().are_deliveries_held().get_untracked() => {
            Some(held_result(ChannelTexts::here()))
        }
        ("resend", _) => Some(ActionResult::new(texts.resent())),
        ("arrived", _) => Some(ActionResult::new(texts.arrived())),
        ("drop", _) => Some(ActionResult::new(texts.dropped())),
        ("pause-engine", _) => Some(pause_result::paused()),
        ("resume-engine", _) => Some(pause_result::resumed()),
        ("limit-kind", _) => Some(ActionResult::new(texts.saved())),
        ("no-time", _) => {
            Some(ActionResult { is_warning: true, ..ActionResult::new(texts.release_without_time()) })
        }
        ("release-deliveries", _) => Some(ActionResult::new(texts.released())),
        (done, _) => messages::result::of_value(done)
            .or_else(|| backup_result::of_url_value(done))
            .or_else(|| bulk::result::of_value(done))
            .or_else(|| review::state::result_of_value(done))
            .or_else(|| review::settings::waiting::result_of_value(done))
            .or_else(|| rules::result::of_url(&path, done)),
    }
}

/// An article was moved to the trash.
fn deleted(id: String) -> ActionResult {
    let texts = ArticleTexts::here();
    ActionResult::new(texts.was_deleted()).with_undo(Undo::Form(UndoForm {
        function: UndeleteArticle::PATH,
        fields: vec![("id", id)],
        label: ResultTexts::here().undo_delete(),
    }))
}
