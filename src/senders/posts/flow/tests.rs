//! The order of the requests at a site that loses answers.

use super::*;
use crate::senders::posts::{nothing_written, prepare::prepare};
use async_trait::async_trait;
use domain::post::changed;
use serde_json::json;
use std::sync::{Mutex, PoisonError};

/// A site whose next change is lost in a way.
#[derive(Default)]
struct FakeSite {
    posts: Mutex<Vec<RemotePost>>,
    /// What happens to the next change.
    fault: Mutex<Option<Fault>>,
    changes: Mutex<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// It is done, and the answer is lost.
    AnswerLost,
    /// It is not done, and nothing is answered.
    RequestLost,
    /// A user has changed the post meanwhile.
    Conflict,
}

impl FakeSite {
    fn posts(&self) -> Vec<RemotePost> {
        self.posts.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn public(&self) -> usize {
        self.posts().iter().filter(|post| post.is_public()).count()
    }

    fn fail_next(&self, fault: Fault) {
        *self.fault.lock().unwrap_or_else(PoisonError::into_inner) = Some(fault);
    }

    fn change(&self, new: RemotePost) -> Result<RemotePost, SendResult> {
        *self.changes.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        let mut posts = self.posts.lock().unwrap_or_else(PoisonError::into_inner);
        let fault = self.fault.lock().unwrap_or_else(PoisonError::into_inner).take();
        let failed =
            |outcome, status| SendResult { status, ..SendResult::without_response(outcome, "fault") };
        match fault {
            Some(Fault::RequestLost) => return Err(failed(Outcome::Unknown, None)),
            Some(Fault::Conflict) => {
                for post in posts.iter_mut() {
                    post.text.push_str(" by hand");
                }
                return Err(failed(Outcome::Refused, Some(409)));
            }
            Some(Fault::AnswerLost) | None => {}
        }
        posts.retain(|post| post.id != new.id);
        posts.push(new.clone());
        if fault.is_some() { Err(failed(Outcome::Unknown, None)) } else { Ok(new) }
    }
}

#[async_trait]
impl Site for FakeSite {
    async fn read(&self, id: &str) -> Result<Option<RemotePost>, SendResult> {
        Ok(self.posts().into_iter().find(|post| post.id == id))
    }
    async fn search(&self, marker: &str) -> Result<Vec<RemotePost>, SendResult> {
        Ok(self.posts().into_iter().filter(|post| post.text.contains(marker)).collect())
    }
    async fn create(&self, text: &PostText<'_>) -> Result<RemotePost, SendResult> {
        let id = (self.posts().len() + 1).to_string();
        self.change(remote(&id, RemoteState::Draft, text.written))
    }
    async fn update_draft(&self, before: &RemotePost, text: &PostText<'_>) -> Result<RemotePost, SendResult> {
        let state = if text.post.is_overwrite { RemoteState::Draft } else { before.state };
        self.change(remote(&before.id, state, text.written))
    }
    async fn may_publish(&self) -> Result<bool, SendResult> {
        Ok(true)
    }
    async fn publish(&self, before: &RemotePost, text: &PostText<'_>) -> Result<RemotePost, SendResult> {
        self.change(remote(&before.id, RemoteState::Public, text.written))
    }
    async fn withdraw(&self, before: &RemotePost) -> Result<RemotePost, SendResult> {
        self.change(RemotePost { state: RemoteState::Draft, ..before.clone() })
    }
    fn removed(&self, _sent: &PostText<'_>, _stored: &RemotePost) -> Vec<String> {
        vec!["iframe".to_owned()]
    }
    async fn check(&self) -> SendResult {
        done("")
    }
}

fn remote(id: &str, state: RemoteState, text: &str) -> RemotePost {
    let (id, url) = (id.to_owned(), format!("https://a.example/{id}"));
    RemotePost { id, state, url, text: text.to_owned(), version: String::new() }
}

fn post() -> PostBody {
    let id = "00000000-0000-7000-8000-000000000001";
    serde_json::from_value(json!({"id": id, "purpose": "publish"})).unwrap()
}

/// What is known after a report.
fn known(result: &SendResult) -> Option<KnownPost> {
    let report = result.post.as_ref()?;
    Some(KnownPost {
        id: report.post,
        remote_id: report.remote_id.clone(),
        content_hash: report.content_hash.clone(),
        url: report.url.clone(),
    })
}

async fn published(site: &FakeSite, delivery: u8, known: Option<&KnownPost>) -> SendResult {
    let post = post();
    let written = format!("{}-{delivery:032x}", post.marker());
    publish(site, &PostText { post: &post, html: "", written: &written }, known).await
}

async fn prepared(
    site: &FakeSite,
    (delivery, is_overwrite): (u8, bool),
    known: Option<&KnownPost>,
) -> SendResult {
    let post = PostBody { is_overwrite, ..post() };
    let written = format!("{}-{delivery:032x}", post.marker());
    prepare(site, &PostText { post: &post, html: "", written: &written }, known).await
}

/// What was done with a post on the site, as a result reports it.
fn changed_of(result: &SendResult) -> Option<&str> {
    result.post.as_ref()?.changed_there.as_deref()
}

#[tokio::test]
async fn a_lost_answer_publishes_once() {
    for fault in [Fault::AnswerLost, Fault::RequestLost] {
        // The fault is at the draft, then at the request that makes it public.
        let site = FakeSite::default();
        site.fail_next(fault);
        assert_eq!(published(&site, 1, None).await.outcome, Outcome::Unknown, "the draft");
        let result = published(&site, 1, None).await;
        assert_eq!((result.outcome, site.public(), site.posts().len()), (Outcome::Delivered, 1, 1));
        let site = FakeSite::default();
        site.change(remote("1", RemoteState::Draft, &post().marker())).unwrap();
        site.fail_next(fault);
        let first = published(&site, 1, None).await;
        let expected = if fault == Fault::AnswerLost { Outcome::Delivered } else { Outcome::Refused };
        assert_eq!(first.outcome, expected);
        let changes = *site.changes.lock().unwrap();
        let again = published(&site, 1, None).await;
        assert_eq!((again.outcome, site.public(), site.posts().len()), (Outcome::Delivered, 1, 1));
        let is_repeated = *site.changes.lock().unwrap() > changes;
        assert_eq!(is_repeated, fault == Fault::RequestLost, "what is done is not done again");
    }
}

#[tokio::test]
async fn what_was_changed_or_deleted_there_is_left_alone() {
    let site = FakeSite::default();
    let known = known(&published(&site, 1, None).await).unwrap();
    site.fail_next(Fault::Conflict);
    let conflict = published(&site, 2, Some(&known)).await;
    assert_eq!(changed_of(&conflict), Some(changed::EDITED));
    assert!(conflict.text.is_some_and(|text| text.contains("not overwritten")));
    let edited = published(&site, 3, Some(&known)).await;
    assert!(edited.is_about_message && edited.permanent_failure.is_some());
    assert!(site.posts()[0].text.ends_with("by hand"));
    site.posts.lock().unwrap().clear();
    let deleted = published(&site, 4, Some(&known)).await;
    assert_eq!(changed_of(&deleted), Some(changed::DELETED));
    assert!(deleted.text.is_some_and(|text| text.contains("deleted on the site")));
    let absent = withdraw(&site, &post(), Some(&known)).await;
    assert_eq!(absent.outcome, Outcome::Delivered);
    let forgotten = absent.post.map(|report| (report.remote_id, report.content_hash, report.is_public));
    assert_eq!(forgotten, Some((None, None, false)));
}

/// What is sent again does not replace what a user changed after its result was recorded, although the marker is left.
#[tokio::test]
async fn what_is_sent_again_does_not_hide_an_edit() {
    for is_public in [true, false] {
        let site = FakeSite::default();
        let first = match is_public {
            true => published(&site, 1, None).await,
            false => prepared(&site, (1, false), None).await,
        };
        let mut edited = site.posts().remove(0);
        edited.text.push_str(" by hand");
        site.change(edited).unwrap();
        let again = match is_public {
            true => published(&site, 1, known(&first).as_ref()).await,
            false => prepared(&site, (1, false), known(&first).as_ref()).await,
        };
        assert_eq!(changed_of(&again), Some(changed::EDITED));
        assert!(site.posts()[0].text.ends_with("by hand"));
        let next = published(&site, 2, known(&again).as_ref()).await;
        assert_eq!(changed_of(&next), Some(changed::EDITED), "the text before stays known");
    }
}

/// Nothing of the first attempt was recorded, so there is no hash to compare with.
#[tokio::test]
async fn a_change_between_reading_and_publishing_stays_known() {
    let site = FakeSite::default();
    let draft = format!("{}-{:032x}", post().marker(), 1);
    site.change(remote("1", RemoteState::Draft, &draft)).unwrap();
    site.fail_next(Fault::Conflict);
    let conflict = published(&site, 2, None).await;
    assert_eq!(changed_of(&conflict), Some(changed::EDITED));
    let again = published(&site, 2, known(&conflict).as_ref()).await;
    assert_eq!(
        (changed_of(&again), site.public()),
        (Some(changed::EDITED), 0),
        "it is not overwritten later"
    );
}

/// A draft is made and made again, whatever answer is lost; its publication makes the same post public.
#[tokio::test]
async fn a_draft_is_prepared_and_never_public() {
    for fault in [None, Some(Fault::AnswerLost), Some(Fault::RequestLost)] {
        let site = FakeSite::default();
        let mut ready_post = None;
        for delivery in [1, 2] {
            if let Some(fault) = fault {
                site.fail_next(fault);
                let lost = prepared(&site, (delivery, false), ready_post.as_ref()).await;
                assert_eq!((lost.outcome, site.public()), (Outcome::Unreachable, 0));
            }
            let ready = prepared(&site, (delivery, false), ready_post.as_ref()).await;
            assert_eq!((ready.outcome, site.public(), site.posts().len()), (Outcome::Delivered, 0, 1));
            assert_eq!(ready.post.as_ref().map(|report| report.removed.join(" ")).as_deref(), Some("iframe"));
            ready_post = known(&ready);
        }
        let result = published(&site, 3, ready_post.as_ref()).await;
        assert_eq!((result.outcome, site.public(), site.posts().len()), (Outcome::Delivered, 1, 1));
    }
}

#[tokio::test]
async fn what_was_done_with_a_draft_there_waits_for_a_user() {
    let site = FakeSite::default();
    let ready = known(&prepared(&site, (1, false), None).await);
    site.fail_next(Fault::Conflict);
    let refused = prepared(&site, (2, false), ready.as_ref()).await;
    assert_eq!((refused.outcome, refused.permanent_failure), (Outcome::Refused, None), "it is read again");
    let edited = prepared(&site, (2, false), ready.as_ref()).await;
    assert_eq!(changed_of(&edited), Some(changed::EDITED));
    let edited = prepared(&site, (3, false), known(&edited).as_ref()).await;
    assert_eq!(changed_of(&edited), Some(changed::EDITED), "what was known stays known");
    let replaced = prepared(&site, (4, true), known(&edited).as_ref()).await;
    assert_eq!((replaced.outcome, changed_of(&replaced)), (Outcome::Delivered, None));
    let public = RemotePost { state: RemoteState::Public, ..site.posts().remove(0) };
    site.change(public).unwrap();
    let early = prepared(&site, (5, false), known(&replaced).as_ref()).await;
    assert_eq!((changed_of(&early), site.public()), (Some(changed::PUBLISHED), 1), "it is left alone");
    let draft = prepared(&site, (6, true), known(&early).as_ref()).await;
    assert_eq!((draft.outcome, site.public()), (Outcome::Delivered, 0), "a user has decided");
}

/// What waits for a decision on the site could still be published there.
#[tokio::test]
async fn a_post_that_waits_there_is_withdrawn() {
    for (state, changes) in [(RemoteState::Waiting, 1), (RemoteState::Planned, 1), (RemoteState::Draft, 0)] {
        let site = FakeSite::default();
        site.posts.lock().unwrap().push(remote("1", state, &post().marker()));
        assert_eq!(withdraw(&site, &post(), None).await.outcome, Outcome::Delivered);
        assert_eq!((site.posts()[0].state, *site.changes.lock().unwrap()), (RemoteState::Draft, changes));
    }
}

#[tokio::test]
async fn a_withdrawal_without_an_answer_is_looked_at() {
    for (fault, outcome) in [(Fault::AnswerLost, Outcome::Delivered), (Fault::RequestLost, Outcome::Refused)]
    {
        let site = FakeSite::default();
        let known = known(&published(&site, 1, None).await);
        site.fail_next(fault);
        assert_eq!(withdraw(&site, &post(), known.as_ref()).await.outcome, outcome);
        assert_eq!(site.public(), usize::from(fault == Fault::RequestLost));
    }
}

#[tokio::test]
async fn of_two_public_copies_the_first_stays() {
    let site = FakeSite::default();
    for id in ["10", "9"] {
        site.change(remote(id, RemoteState::Public, &post().marker())).unwrap();
    }
    let result = published(&site, 1, None).await;
    let report = result.post.unwrap();
    assert_eq!((report.remote_id.as_deref(), site.public()), (Some("9"), 1));
}

#[test]
fn an_address_with_control_characters_is_not_stored() {
    for (link, url) in [
        ("https://a.example/b", Some("https://a.example/b")),
        ("https://a.example/\0", None),
        ("javascript:alert(1)", None),
    ] {
        let remote = RemotePost { url: link.to_owned(), ..remote("1", RemoteState::Public, "") };
        let result = super::published(&post(), &remote);
        assert_eq!(result.post.and_then(|report| report.url).as_deref(), url, "{link:?}");
        assert!(result.text.is_some_and(|text| !text.contains('\0') && !text.contains("alert")));
    }
}

#[test]
fn a_lost_answer_to_a_question_leaves_nothing_unknown() {
    let lost = || SendResult::without_response(Outcome::Unknown, "lost");
    assert_eq!(nothing_written(lost()).outcome, Outcome::Unreachable);
    assert_eq!(post().marker(), "presstime-00000000000070008000000000000001");
}
