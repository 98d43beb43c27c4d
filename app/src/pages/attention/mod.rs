//! Everything that needs a person, grouped by its cause (of messages: by their channel), with the way out beside each.

mod retry;

use crate::{
    calls::{
        channels::PauseChannel,
        tasks::{MESSAGES, Needing, Notice, attention, group_id, messages_id},
    },
    components::{
        delivery_row::{self, DeliveryRow},
        empty::Empty,
        head::Head,
        icon::Icon,
        loaded::Loaded,
        task_row::{TaskRow, key},
    },
    form::PlainForm,
    live::{follow, live},
    words::{channel::ChannelWords, desk::DeskWords, frame::FrameWords, language, reason},
};
use domain::{
    State,
    delivery::{DeliveryRow as Delivery, DeliveryState},
    task::{AttentionGroup, Phase, reason::ZONE_DATA},
};
use leptos::{either::Either, prelude::*};
use retry::{Ask, Outcome, RetryGroup, Said};
use server_fn::ServerFn;

/// The page.
#[component]
pub fn Attention() -> impl IntoView {
    let words = DeskWords::here();
    let said = Said(RwSignal::new(None));
    provide_context(said);
    // What becomes overdue is no event: the heartbeat counts it.
    let beat = live().heartbeat();
    let count = Memo::new(move |_| beat.with(|beat| beat.attention));
    let read = follow(
        |change| matches!(change.entity.as_str(), "task" | "delivery" | "channel"),
        move || count.get(),
        |_| attention(),
    );
    view! {
        <Head title=words.attention_title().to_owned() lead=words.attention_lead() />
        <Outcome said=said />
        <Loaded from=read children=|needing| view! { <Groups needing=needing /> } />
    }
}

#[component]
fn Groups(needing: Signal<Needing>) -> impl IntoView {
    let words = DeskWords::here();
    let groups = Signal::derive(move || needing.with(|needing| needing.tasks.clone()));
    let deliveries = Signal::derive(move || needing.with(|needing| needing.messages.clone()));
    let is_empty = Memo::new(move |_| {
        needing.with(|all| all.tasks.is_empty() && all.messages.is_empty() && all.notices.is_empty())
    });
    let notices = move || needing.with(|needing| needing.notices.iter().cloned().map(notice).collect_view());
    // Messages come channel by channel.
    let causes = Memo::new(move |_| {
        needing.with(|needing| {
            let mut all: Vec<_> =
                needing.tasks.iter().map(|group| group_id(group.state, &group.reason)).collect();
            all.extend(needing.messages.iter().map(messages_id));
            all.dedup();
            all
        })
    });
    let group = move |id: String| match id.starts_with(MESSAGES) {
        true => view! { <Messages deliveries=deliveries id=id /> }.into_any(),
        false => view! { <Cause groups=groups id=id /> }.into_any(),
    };
    move || {
        if is_empty.get() {
            Either::Left(view! {
                <Empty title=words.attention_empty() hint=words.attention_empty_hint()>
                    <a class="button" href="/">{FrameWords::here().to_the_desk()}</a>
                </Empty>
            })
        } else {
            Either::Right(view! {
                {notices}
                <For each=move || causes.get() key=Clone::clone children=group />
            })
        }
    }
}

/// A channel that does not take messages, or that all are held.
fn notice(notice: Notice) -> impl IntoView {
    let words = ChannelWords::here();
    let phase = if notice.is_bad { Phase::Failed } else { Phase::Due };
    let link = |(path, title)| view! { <li><a href=path>{title}</a></li> };
    let act = notice.channel.map(|id| {
        view! {
            <PlainForm function=PauseChannel::PATH class="tight">
                <input type="hidden" name="id" value=id.to_string() />
                <input type="hidden" name="is_paused" value="false" />
                <button class="button small" type="submit">{words.send_now()}</button>
            </PlainForm>
        }
    });
    view! {
        <section class="cause" data-phase=phase.as_str()>
            <header>
                <span class="phase" data-phase=phase.as_str()><Icon name="attention" />{words.waiting()}" "{notice.count}</span>
                <h2>{notice.title}</h2>
            </header>
            <p class="hint">{notice.message}</p>
            <ul class="notice-items">{notice.items.into_iter().map(link).collect_view()}</ul>
            {act}
        </section>
    }
}

/// All that has one cause.
#[component]
fn Cause(groups: Signal<Vec<AttentionGroup>>, id: String) -> impl IntoView {
    let words = DeskWords::here();
    let (state, why) = id.split_once(':').map(|(state, why)| (state.parse(), why.to_owned())).unzip();
    let group = Memo::new(move |_| {
        groups.with(|groups| groups.iter().find(|group| group_id(group.state, &group.reason) == id).cloned())
    });
    let is_of_zones = why.as_deref() == Some(ZONE_DATA);
    let (phase, word) = match state {
        _ if is_of_zones => (Phase::Scheduled, words.zone_data_because()),
        Some(Ok(State::Failed)) => (Phase::Failed, words.failed_because()),
        Some(Ok(State::Missed)) => (Phase::Missed, words.missed_because()),
        _ => (Phase::Due, words.overdue_because()),
    };
    let rows =
        move || group.with(|group| group.as_ref().map(|group| group.tasks.clone()).unwrap_or_default());
    let count = move || {
        group.with(|group| {
            let (shown, total) = group.as_ref().map(|group| (group.tasks.len(), group.total))?;
            (total > shown as u64).then(|| words.shown_of(shown, total))
        })
    };
    let of_others = move || {
        let is_any = |group: &AttentionGroup| group.tasks.iter().any(|row| row.may_change);
        let is_theirs = group.with(|group| group.as_ref().is_none_or(is_any));
        (!is_theirs && !is_of_zones).then(|| words.attention_of_others())
    };
    // A plain form: the page is read again afterwards.
    let dismiss = is_of_zones.then(|| {
        view! {
            <form method="post" action="/fn/dismiss_zone_moves" class="tight">
                <input type="hidden" name="seen_at" value=live().now().get_untracked().to_string() />
                <input type="hidden" name="from" value="/attention" />
                <button class="button small" type="submit">{words.dismiss()}</button>
            </form>
        }
    });
    view! {
        <section class="cause" data-phase=phase.as_str()>
            <header>
                <span class="phase" data-phase=phase.as_str()><Icon name=phase.as_str() />{word}</span>
                <h2>{reason::sentence(language(), &why.unwrap_or_default())}</h2>
                <span class="over">{count}</span>
            </header>
            <RetryGroup group=group />
            {dismiss}
            {move || of_others().map(|said| view! { <p class="hint">{said}</p> })}
            <ul class="task-list"><For each=rows key=key children=|row| view! { <TaskRow row=row /> } /></ul>
        </section>
    }
}

/// Messages of one channel that did not arrive, or may have.
#[component]
fn Messages(deliveries: Signal<Vec<Delivery>>, id: String) -> impl IntoView {
    let (words, is_admin) = (ChannelWords::here(), crate::visitor::visitor().is_admin());
    let (name, form) = (id.clone(), id);
    let rows = Memo::new(move |_| {
        deliveries.with(|all| all.iter().filter(|one| messages_id(one) == name).cloned().collect::<Vec<_>>())
    });
    let (state, channel) =
        rows.with_untracked(|rows| rows.first().map(|row| (row.state, row.channel.clone()))).unzip();
    let (phase, title) = match state {
        Some(DeliveryState::Unconfirmed) => (Phase::Missed, words.deliveries_unconfirmed()),
        _ => (Phase::Failed, words.deliveries_failed()),
    };
    let count = Memo::new(move |_| rows.with(Vec::len) as u64);
    let again =
        move || (is_admin && count.get() > 1).then(|| view! { <Ask id=form.clone() all=count.get() /> });
    view! {
        <section class="cause" data-phase=phase.as_str()>
            <header>
                <span class="phase" data-phase=phase.as_str()><Icon name=phase.as_str() />{state.map(|state| words.state(state))}</span>
                <h2>{title}" · "{channel.map(|channel| words.to(channel))}</h2>
                <span class="over">{(!is_admin).then(|| words.ask_admin())}</span>
            </header>
            {again}
            <ul class="delivery-list">
                <For each=move || rows.get() key=delivery_row::key children=|row| view! { <DeliveryRow row=row /> } />
            </ul>
        </section>
    }
}
