//! What was done with a post on the site, so that it is not replaced.

use super::{
    PostBody, PostText, RemotePost, RemoteState, refused_for_good,
    report::{absent, fingerprint, report, writer_of},
};
use crate::senders::SendResult;
use domain::post::{KnownPost, PostReport, changed};

/// Why a post on the site is not replaced: a word of [`changed`], and a sentence.
pub(super) type Conflict = (&'static str, &'static str);

/// Its text is another one than this program has written.
const EDITED: Conflict =
    (changed::EDITED, "its text was changed on the site, and is not overwritten; change it there");
/// It is not on the site any more.
pub(super) const DELETED: Conflict = (
    changed::DELETED,
    "it was deleted on the site, and is not made again; decide on the page of the article",
);

/// Whether the site had a post that it does not have any more.
pub(super) fn was_deleted(post: &PostBody, known: Option<&KnownPost>) -> bool {
    !post.is_overwrite && known.is_some_and(|known| known.remote_id.is_some())
}

/// Why a post on the site is not replaced; `None`: it may be. A text with the marker of another delivery than the known
/// one comes from an attempt whose result was lost. One with the marker of the known one, also if that is sent again, was
/// changed by a user who left the marker.
pub(super) fn conflict(post: &PostBody, remote: &RemotePost, known: Option<&KnownPost>) -> Option<Conflict> {
    if post.is_overwrite {
        return None;
    }
    if remote.state == RemoteState::Trash {
        return Some((changed::TRASHED, "it is in the trash of the site; restore it there"));
    }
    let was = known.and_then(|known| known.content_hash.as_deref())?;
    let (text, writer) = (remote.text.as_str(), writer_of(post, &remote.text));
    let is_ours = writer.is_some() && writer != was.split_once('-').map(|(_, writer)| writer);
    let is_changed = was != fingerprint(post, text) && !is_ours;
    is_changed.then_some(EDITED)
}

/// Result of a change that the site refused, because the post was changed after it was read as `before`. That is what
/// stays known, so that the next attempt sees the change, too.
pub(super) fn changed_meanwhile(text: &PostText<'_>, before: &RemotePost, after: &RemotePost) -> SendResult {
    let post = text.post;
    let read = KnownPost {
        id: post.id,
        remote_id: Some(before.id.clone()),
        content_hash: Some(fingerprint(post, &before.text)),
        url: None,
    };
    let found = conflict(post, after, Some(&read)).unwrap_or(EDITED);
    changed_there(post, Some(&read), Some(after), found)
}

/// Result of an attempt that left a post on the site as it is. The known hash stays, so that the next one sees it too.
pub(super) fn changed_there(
    post: &PostBody,
    known: Option<&KnownPost>,
    remote: Option<&RemotePost>,
    (what, why): Conflict,
) -> SendResult {
    let (was_id, was_hash) = match known.cloned() {
        Some(KnownPost { remote_id, content_hash, .. }) => (remote_id, content_hash),
        None => (None, None),
    };
    let found = remote.map(|remote| report(post, remote));
    let remote_id = found.as_ref().and_then(|report| report.remote_id.clone()).or(was_id);
    let hash = was_hash.or_else(|| found.and_then(|report| report.content_hash));
    let report = remote_id.zip(hash).map(|(remote_id, content_hash)| {
        Box::new(PostReport {
            remote_id: Some(remote_id),
            content_hash: Some(content_hash),
            is_public: remote.is_some_and(RemotePost::is_public),
            changed_there: Some(what.to_owned()),
            ..absent(post.id)
        })
    });
    SendResult { post: report, ..refused_for_good(why) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::DeliveryId;
    use serde_json::json;

    /// The known hash names the delivery that wrote the text.
    #[test]
    fn a_text_of_a_lost_attempt_is_no_edit_on_the_site() {
        let id = "00000000-0000-7000-8000-000000000001";
        let post: PostBody = serde_json::from_value(json!({"id": id, "purpose": "publish"})).unwrap();
        let text = |delivery: DeliveryId, words: &str| format!("{} {words}", post.marker_of(delivery));
        let (first, lost, this) = (DeliveryId::generate(), DeliveryId::generate(), DeliveryId::generate());
        let hash = fingerprint(&post, &text(first, "a"));
        let known = KnownPost { id: post.id, remote_id: None, content_hash: Some(hash), url: None };
        for (stored, is_changed) in [
            (text(first, "a"), false),
            (text(first, "by hand"), true),
            ("by hand".to_owned(), true),
            (text(lost, "b"), false),
            (text(this, "c"), false),
        ] {
            let remote = RemotePost {
                id: "1".to_owned(),
                state: RemoteState::Public,
                url: String::new(),
                text: stored.clone(),
                version: String::new(),
            };
            let found = conflict(&post, &remote, Some(&known));
            assert_eq!(found.is_some(), is_changed, "{stored}");
        }
    }
}
