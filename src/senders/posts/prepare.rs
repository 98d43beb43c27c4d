//! Makes and checks drafts before their moment: with the real rights, and nothing that readers see.

use super::{
    PostBody, PostText, RemotePost, RemoteState, Site,
    conflict::{Conflict, DELETED, changed_there, conflict, was_deleted},
    done,
    flow::find,
    nothing_written, refused_for_good,
    report::report,
};
use crate::{
    senders::SendResult,
    text::render::tags::{Token, Tokenizer},
};
use domain::post::{KnownPost, changed};
use std::collections::BTreeMap;

/// Maximum number of names of elements that a site took out of a text.
const MAX_REMOVED: usize = 20;

/// Makes the draft, or replaces its text, and checks that the user may publish it.
pub async fn prepare(site: &dyn Site, text: &PostText<'_>, known: Option<&KnownPost>) -> SendResult {
    let post = text.post;
    let found = match find(site, post, known).await {
        Ok(found) => found,
        Err(failed) => return failed,
    };
    let after = match found {
        None if was_deleted(post, known) => return changed_there(post, known, None, DELETED),
        None => site.create(text).await,
        Some(remote) => {
            if let Some(conflict) = before_its_moment(post, &remote, known) {
                return changed_there(post, known, Some(&remote), conflict);
            }
            site.update_draft(&remote, text).await
        }
    };
    // Readers see nothing of a draft: an attempt without an answer is made again, and finds it.
    let draft = match after.map_err(nothing_written) {
        Ok(draft) => draft,
        Err(failed) => return failed,
    };
    let mut report = report(post, &draft);
    report.removed = site.removed(text, &draft);
    let said = match site.may_publish().await {
        Ok(true) => done("a draft is ready on the site"),
        Ok(false) => refused_for_good(
            "the user of the channel may not publish on the site; give it the role of an author there",
        ),
        Err(failed) => failed,
    };
    SendResult { post: Some(report), ..said }
}

/// Why a post is not prepared: besides a change of its text, that it is public or planned already.
fn before_its_moment(post: &PostBody, remote: &RemotePost, known: Option<&KnownPost>) -> Option<Conflict> {
    let is_draft = matches!(remote.state, RemoteState::Draft | RemoteState::Waiting | RemoteState::Trash);
    match conflict(post, remote, known) {
        None if !is_draft && !post.is_overwrite => {
            let why = "it was published or planned on the site before its moment; make it a draft there";
            Some((changed::PUBLISHED, why))
        }
        other => other,
    }
}

/// Returns the names of the elements that a site took out of a text.
#[must_use]
pub fn removed(sent: &str, stored: &str) -> Vec<String> {
    let (sent, stored) = (elements(sent), elements(stored));
    let is_less = |name: &String, count: usize| stored.get(name).copied().unwrap_or_default() < count;
    let missing = sent.into_iter().filter(|(name, count)| is_less(name, *count));
    missing.map(|(name, _)| name).take(MAX_REMOVED).collect()
}

/// Counts the elements of a text by name.
fn elements(html: &str) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for token in Tokenizer::of(html) {
        if let Token::Open(tag) = token
            && tag.name.len() <= 30
        {
            *counts.entry(tag.name).or_default() += 1;
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn elements_that_the_site_took_out_are_named_once() {
        let sent = "<!-- wp:html -->\n<p>a</p><svg><path d=\"\"></svg><iframe></iframe><iframe></iframe>";
        assert_eq!(removed(sent, "<!-- wp:html -->\n<p>a</p><iframe></iframe>"), ["iframe", "path", "svg"]);
        assert_eq!(removed(sent, sent), Vec::<String>::new());
    }

    #[test]
    fn a_post_that_is_public_before_its_moment_is_not_prepared() {
        let post: PostBody = serde_json::from_value(json!({
            "id": "00000000-0000-7000-8000-000000000001", "purpose": "prepare",
        }))
        .unwrap();
        for (state, what) in [
            (RemoteState::Draft, None),
            (RemoteState::Waiting, None),
            (RemoteState::Public, Some(changed::PUBLISHED)),
            (RemoteState::Planned, Some(changed::PUBLISHED)),
            (RemoteState::Hidden, Some(changed::PUBLISHED)),
            (RemoteState::Trash, Some(changed::TRASHED)),
        ] {
            let (id, url, text, version) = ("1".to_owned(), String::new(), String::new(), String::new());
            let remote = RemotePost { id, state, url, text, version };
            let found = before_its_moment(&post, &remote, None);
            assert_eq!(found.map(|(what, _)| what), what, "{state:?}");
        }
    }
}
