//! Actions on all items of a card.

use super::{
    move_group::{MoveGroupForm, Moving},
    outcome::{dismissed, retried},
    server_fns::{DismissGroup, DismissZoneMoves, RetryGroup},
};
use crate::{
    deliveries::server_fns::TestChannel,
    live::live,
    ui::{
        form::{Form, PlainForm},
        icon::Icon,
        result::announce,
    },
};
use domain::{
    ChannelId, Kind,
    attention::{AttentionCard, AttentionCause},
    input_limits::MAX_RETRY_ITEMS,
};
use leptos::prelude::*;
use server_fn::ServerFn;
use texts::attention::card::CardTexts;

/// The actions that the user may take; none if there are none.
#[component]
pub fn Actions(
    /// The card.
    card: AttentionCard,
    /// The card whose tasks the user reschedules.
    moving: Moving,
) -> impl IntoView {
    match card.cause {
        AttentionCause::DeliveriesHeld => view! {
            <p class="row"><a class="button small" href="/engine">{CardTexts::here().held_link()}</a></p>
        }
        .into_any(),
        AttentionCause::BackupsFailing => view! {
            <p class="row"><a class="button small" href="/engine#backups">{CardTexts::here().backup_link()}</a></p>
        }
        .into_any(),
        AttentionCause::ZoneData if card.changeable > 0 => view! { <DismissZones /> }.into_any(),
        _ if card.cause.is_about_tasks() => view! { <TaskActions card=card moving=moving /> }.into_any(),
        _ if card.changeable > 0 || card.channel.is_some() && is_admin() => {
            view! { <ChannelActions card=card /> }.into_any()
        }
        _ => ().into_any(),
    }
}

fn is_admin() -> bool {
    crate::session::visitor().is_admin()
}

/// Actions on failed or missed tasks. A single task has its own.
#[component]
fn TaskActions(card: AttentionCard, moving: Moving) -> impl IntoView {
    let texts = CardTexts::here();
    let can = matches!(
        card.cause,
        AttentionCause::TaskFailed
            | AttentionCause::TaskMissed
            | AttentionCause::TaskHeld
            | AttentionCause::TextOlder
    ) && card.id.split(':').next() != Some("scheduled");
    let review = review_of(&card).map(|href| {
        view! { <a class="button small main" href=href>{texts.open_review()}</a> }
    });
    if !can || card.changeable < 2 {
        return review.map(|link| view! { <div class="row cause-actions">{link}</div> }).into_any();
    }
    let all = card.changeable;
    let most = all.min(MAX_RETRY_ITEMS);
    let publishes = card.cause == AttentionCause::TaskMissed
        && card.tasks.iter().all(|task| task.kind == Kind::ArticlePublish);
    let (label, yes) = match publishes {
        true => (texts.publish_all(all), texts.publish_yes(most)),
        false => (texts.retry_all(all), texts.retry_yes(most)),
    };
    view! {
        <div class="row cause-actions">
            {review}
            <Retry id=card.id.clone() all=all label=label hint=texts.retry_tasks(most) yes=yes />
            <MoveGroupForm card=card.clone() moving=moving />
            <Dismiss id=card.id all=all hint=texts.dismiss_tasks() />
        </div>
    }
    .into_any()
}

/// Where the texts are reviewed that the review holds; `None`: it holds none of the card.
fn review_of(card: &AttentionCard) -> Option<String> {
    let first = card.tasks.first().filter(|_| card.cause == AttentionCause::TaskHeld)?;
    Some(match first.kind {
        _ if card.total > 1 => "/review".to_owned(),
        Kind::ArticlePublish => format!("/review/{}", first.target_id),
        _ => format!("/releases/{}", first.target_id),
    })
}

/// Actions on the messages of a channel, and on the channel.
#[component]
fn ChannelActions(card: AttentionCard) -> impl IntoView {
    let texts = CardTexts::here();
    let Some((channel, _)) = card.channel else { return ().into_any() };
    let (all, most) = (card.changeable, card.changeable.min(MAX_RETRY_ITEMS));
    let is_unconfirmed = card.cause == AttentionCause::DeliveryUnconfirmed;
    let retry = match (is_unconfirmed, card.is_deleted) {
        (_, true) => None,
        (true, _) => Some(
            view! {
                <Retry id=card.id.clone() all=all label=texts.resend_all(all) hint=texts.resend_hint(most) yes=texts.resend_yes(most) />
            }
            .into_any(),
        ),
        (false, _) => {
            let label =
                if card.cause == AttentionCause::ChannelOff { texts.resume() } else { texts.retry_now() };
            Some(view! { <RetryNow id=card.id.clone() label=label /> }.into_any())
        }
    };
    let sends = !card.is_deleted && card.cause != AttentionCause::ChannelOff;
    view! {
        <div class="row cause-actions">
            {retry}
            {(sends && !is_unconfirmed).then(|| view! { <SendTest channel=channel /> })}
            {(!card.is_deleted).then(|| view! { <ChannelLinks channel=channel /> })}
            {(all > 0).then(|| view! { <Dismiss id=card.id all=all hint=texts.dismiss_messages() /> })}
        </div>
    }
    .into_any()
}

/// Links to settings and log of a channel.
#[component]
fn ChannelLinks(channel: ChannelId) -> impl IntoView {
    let (texts, log) = (CardTexts::here(), format!("/settings/channels/{channel}"));
    view! {
        <a class="button small" href=format!("{log}?tab=settings")>{texts.edit()}</a>
        <a class="button small bare" href=log>{texts.log()}</a>
    }
}

#[component]
fn SendTest(channel: ChannelId) -> impl IntoView {
    let id = channel.to_string();
    view! {
        <PlainForm function=TestChannel::PATH about=id.clone() class="inline">
            <input type="hidden" name="id" value=id />
            <button class="button small" type="submit">{CardTexts::here().test()}</button>
        </PlainForm>
    }
}

/// Retries without confirmation: the messages have the same ids, and no person gets one twice.
#[component]
fn RetryNow(id: String, label: &'static str) -> impl IntoView {
    let action = ServerAction::<RetryGroup>::new();
    let texts = CardTexts::here();
    let card = id.clone();
    announce(action, move |result| retried(texts, &card, result));
    view! {
        <Form action=action about=id.clone() class="inline">
            <input type="hidden" name="id" value=id />
            <input type="hidden" name="most" value=MAX_RETRY_ITEMS />
            <button class="button small" type="submit"><Icon name="retry" />{label}</button>
        </Form>
    }
}

/// Retries after a confirmation.
#[component]
fn Retry(id: String, all: u64, label: String, hint: String, yes: String) -> impl IntoView {
    let action = ServerAction::<RetryGroup>::new();
    let texts = CardTexts::here();
    let card = id.clone();
    announce(action, move |result| retried(texts, &card, result));
    let most = all.min(MAX_RETRY_ITEMS);
    view! {
        <details class="open-in-place">
            <summary class="button small"><Icon name="retry" />{label}</summary>
            <Form action=action about=id.clone() class="cause-form">
                <input type="hidden" name="id" value=id />
                <input type="hidden" name="most" value=most />
                <p>{hint}{texts.rest(all, most)}</p>
                <button class="button main" type="submit">{yes}</button>
            </Form>
        </details>
    }
}

/// Dismisses after a confirmation.
#[component]
fn Dismiss(id: String, all: u64, hint: &'static str) -> impl IntoView {
    let texts = CardTexts::here();
    let action = ServerAction::<DismissGroup>::new();
    let card = id.clone();
    announce(action, move |dismissal| dismissed(card.clone(), dismissal));
    let most = all.min(MAX_RETRY_ITEMS);
    let seen_at = live().now().get_untracked().to_string();
    view! {
        <details class="open-in-place">
            <summary class="button small">{texts.dismiss_all(all)}</summary>
            <Form action=action about=id.clone() class="cause-form">
                <input type="hidden" name="id" value=id />
                <input type="hidden" name="most" value=most />
                <input type="hidden" name="seen_at" value=seen_at />
                <p>{hint}{texts.rest(all, most)}</p>
                <button class="button danger" type="submit">{texts.dismiss_yes(most)}</button>
            </Form>
        </details>
    }
}

/// A plain form: the page is loaded again afterwards.
#[component]
fn DismissZones() -> impl IntoView {
    let seen_at = live().now().get_untracked().to_string();
    view! {
        <form method="post" action=DismissZoneMoves::PATH class="row cause-actions">
            <input type="hidden" name="seen_at" value=seen_at />
            <input type="hidden" name="from" value="/" />
            <button class="button small" type="submit">{CardTexts::here().dismiss()}</button>
        </form>
    }
}
