//! The order in which a site is asked and changed.

use super::{
    PostBody, PostText, RemotePost, RemoteState, Site,
    conflict::{DELETED, changed_meanwhile, changed_there, conflict, was_deleted},
    done, refused_for_good,
    report::{absent, report},
};
use crate::senders::SendResult;
use domain::{delivery::Outcome, post::KnownPost};

/// Status with which a site refuses a change, because the post was changed since it was read.
const CONFLICT: u16 = 409;

/// Makes a post public, or replaces its text.
pub async fn publish(site: &dyn Site, text: &PostText<'_>, known: Option<&KnownPost>) -> SendResult {
    let post = text.post;
    let found = match find(site, post, known).await {
        Ok(found) => found,
        Err(failed) => return failed,
    };
    let before = match found {
        Some(remote) => match conflict(post, &remote, known) {
            Some(conflict) => return changed_there(post, known, Some(&remote), conflict),
            // An attempt whose result was not recorded has done it.
            None if is_written(&remote, text) => return made_public(site, post, known, remote).await,
            None => remote,
        },
        None if was_deleted(post, known) => return changed_there(post, known, None, DELETED),
        None => match site.create(text).await {
            Ok(draft) => draft,
            // Nothing is public. The next attempt finds the draft, if there is one.
            Err(failed) => return failed,
        },
    };
    match site.publish(&before, text).await {
        Ok(after) => made_public(site, post, known, after).await,
        Err(failed) if failed.outcome == Outcome::Unknown || failed.status == Some(CONFLICT) => {
            match site.read(&before.id).await {
                Ok(Some(after)) if is_done(&before, &after, text, failed.outcome) => {
                    made_public(site, post, known, after).await
                }
                Ok(Some(after)) if failed.status == Some(CONFLICT) => {
                    changed_meanwhile(text, &before, &after)
                }
                // It is known that the request had no effect, so it may be made again.
                Ok(Some(_)) => SendResult { outcome: Outcome::Refused, ..failed },
                _ => failed,
            }
        }
        Err(failed) => failed,
    }
}

/// Turns a post into a draft. One that is not there needs nothing.
pub async fn withdraw(site: &dyn Site, post: &PostBody, known: Option<&KnownPost>) -> SendResult {
    let before = match find(site, post, known).await {
        Ok(Some(before)) => before,
        Ok(None) => {
            return SendResult { post: Some(Box::new(absent(post.id))), ..done("it is not on the site") };
        }
        Err(failed) => return failed,
    };
    if matches!(before.state, RemoteState::Draft | RemoteState::Trash) {
        return withdrawn(post, &before);
    }
    match site.withdraw(&before).await {
        Ok(after) if !after.is_public() => withdrawn(post, &after),
        Ok(_) => refused_for_good("the site keeps it public; the user may have no right to withdraw it"),
        Err(failed) if failed.outcome == Outcome::Unknown => match site.read(&before.id).await {
            Ok(Some(after)) if !after.is_public() => withdrawn(post, &after),
            Ok(Some(_)) => SendResult { outcome: Outcome::Refused, ..failed },
            _ => failed,
        },
        Err(failed) => failed,
    }
}

/// Looks for a post: by its id if the site has returned one, then by its marker: the first public one, else the first.
pub async fn find(
    site: &dyn Site,
    post: &PostBody,
    known: Option<&KnownPost>,
) -> Result<Option<RemotePost>, SendResult> {
    if let Some(id) = known.and_then(|known| known.remote_id.as_deref())
        && let Some(found) = site.read(id).await?
    {
        return Ok(Some(found));
    }
    let mut own = site.search(&post.marker()).await?;
    own.sort_by(|one, other| (!one.is_public(), one.age()).cmp(&(!other.is_public(), other.age())));
    Ok(own.into_iter().next())
}

/// Result of a request that made a post public. While the site has returned no id, a node that was cut off from the
/// database may have made another copy: of several public ones the first stays.
async fn made_public(
    site: &dyn Site,
    post: &PostBody,
    known: Option<&KnownPost>,
    after: RemotePost,
) -> SendResult {
    if !after.is_public() || known.is_some_and(|known| known.remote_id.is_some()) {
        return published(post, &after);
    }
    let mut own = site.search(&post.marker()).await.unwrap_or_default();
    own.retain(RemotePost::is_public);
    own.sort_by(|one, other| one.age().cmp(&other.age()));
    for other in own.iter().skip(1) {
        if let Err(failed) = site.withdraw(other).await {
            return failed;
        }
    }
    published(post, own.first().unwrap_or(&after))
}

/// Whether the post is public as this delivery writes it.
fn is_written(remote: &RemotePost, text: &PostText<'_>) -> bool {
    remote.is_public() && remote.text.contains(text.written)
}

/// Whether a request without an answer, or one after it, has made the post public.
fn is_done(before: &RemotePost, after: &RemotePost, text: &PostText<'_>, outcome: Outcome) -> bool {
    let is_new = after.text != before.text || !before.is_public();
    is_written(after, text) || (outcome == Outcome::Unknown && after.is_public() && is_new)
}

fn published(post: &PostBody, after: &RemotePost) -> SendResult {
    let report = report(post, after);
    match after.state {
        RemoteState::Public => {
            let said = done(report.url.as_deref().unwrap_or("it is public; the site names no address"));
            SendResult { post: Some(report), ..said }
        }
        RemoteState::Planned => SendResult {
            post: Some(report),
            ..refused_for_good("the site has planned it instead of publishing it: its clock is wrong")
        },
        RemoteState::Draft | RemoteState::Waiting | RemoteState::Hidden | RemoteState::Trash => SendResult {
            post: Some(report),
            ..refused_for_good("the site did not publish it: the user may have no right to publish")
        },
    }
}

fn withdrawn(post: &PostBody, after: &RemotePost) -> SendResult {
    SendResult { post: Some(report(post, after)), ..done("it is no longer public") }
}

#[cfg(test)]
mod tests;
