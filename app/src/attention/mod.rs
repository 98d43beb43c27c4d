//! `/attention`: everything that needs a person, grouped by cause (deliveries: by channel), with
//! actions.

mod retry;
#[cfg(feature = "ssr")]
pub mod texts;

use crate::{
    dashboard::texts::DashboardTexts,
    deliveries::{
        row::{self, DeliveryRow},
        server_fns::PauseChannel,
        texts::ChannelTexts,
    },
    live::{live, live_resource},
    shell::texts::LayoutTexts,
    tasks::{
        row::{TaskRow, key},
        server_fns::{AttentionPage, MESSAGE_GROUP_PREFIX, Notice, attention, group_id, messages_id},
    },
    texts::{language, reason},
    ui::{async_view::AsyncView, empty::Empty, form::PlainForm, icon::Icon, page_header::PageHeader},
};
use domain::{
    State,
    delivery::{DeliveryRow as Delivery, DeliveryState},
    task::{
        AttentionGroup, Phase,
        reason::{PUBLISH_NOW_FAILED, ZONE_DATA},
    },
};
use leptos::{either::Either, prelude::*};
use retry::{LastRetry, Outcome, RetryForm, RetryGroup};
use server_fn::ServerFn;

/// The page.
#[component]
pub fn Attention() -> impl IntoView {
    let texts = DashboardTexts::here();
    let last = LastRetry(RwSignal::new(None));
    provide_context(last);
    // That a task becomes overdue is no event; the heartbeat counts it.
    let beat = live().heartbeat();
    let count = Memo::new(move |_| beat.with(|beat| beat.attention));
    let read = live_resource(
        |change| matches!(change.entity.as_str(), "task" | "delivery" | "channel"),
        move || count.get(),
        |_| attention(),
    );
    view! {
        <PageHeader title=texts.attention_title().to_owned() lead=texts.attention_lead() />
        <Outcome last=last />
        <AsyncView from=read children=|content| view! { <Groups content=content /> } />
    }
}

#[component]
fn Groups(content: Signal<AttentionPage>) -> impl IntoView {
    let texts = DashboardTexts::here();
    let groups = Signal::derive(move || content.with(|content| content.tasks.clone()));
    let deliveries = Signal::derive(move || content.with(|content| content.messages.clone()));
    let is_empty = Memo::new(move |_| {
        content.with(|all| all.tasks.is_empty() && all.messages.is_empty() && all.notices.is_empty())
    });
    let notices = move || content.with(|content| content.notices.iter().cloned().map(notice).collect_view());
    // Messages are sorted by channel.
    let causes = Memo::new(move |_| {
        content.with(|content| {
            let mut all: Vec<_> =
                content.tasks.iter().map(|group| group_id(group.state, &group.reason)).collect();
            all.extend(content.messages.iter().map(messages_id));
            all.dedup();
            all
        })
    });
    let group = move |id: String| match id.starts_with(MESSAGE_GROUP_PREFIX) {
        true => view! { <Messages deliveries=deliveries id=id /> }.into_any(),
        false => view! { <Cause groups=groups id=id /> }.into_any(),
    };
    move || {
        if is_empty.get() {
            Either::Left(view! {
                <Empty title=texts.attention_empty() hint=texts.attention_empty_hint()>
                    <a class="button" href="/">{LayoutTexts::here().to_dashboard()}</a>
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

/// A channel that does not send, or the notice that all messages are held.
fn notice(notice: Notice) -> impl IntoView {
    let texts = ChannelTexts::here();
    let phase = if notice.is_bad { Phase::Failed } else { Phase::Due };
    let link = |(path, title)| view! { <li><a href=path>{title}</a></li> };
    let act = notice.channel.map(|id| {
        view! {
            <PlainForm function=PauseChannel::PATH class="inline">
                <input type="hidden" name="id" value=id.to_string() />
                <input type="hidden" name="is_paused" value="false" />
                <button class="button small" type="submit">{texts.send_now()}</button>
            </PlainForm>
        }
    });
    view! {
        <section class="cause" data-phase=phase.as_str()>
            <header>
                <span class="phase" data-phase=phase.as_str()><Icon name="attention" />{texts.waiting()}" "{notice.count}</span>
                <h2>{notice.title}</h2>
            </header>
            <p class="hint">{notice.message}</p>
            <ul class="notice-items">{notice.items.into_iter().map(link).collect_view()}</ul>
            {act}
        </section>
    }
}

/// The tasks with one cause.
#[component]
fn Cause(groups: Signal<Vec<AttentionGroup>>, id: String) -> impl IntoView {
    let texts = DashboardTexts::here();
    let (state, why) = id.split_once(':').map(|(state, why)| (state.parse(), why.to_owned())).unzip();
    let group = Memo::new(move |_| {
        groups.with(|groups| groups.iter().find(|group| group_id(group.state, &group.reason) == id).cloned())
    });
    let is_zone_data = why.as_deref() == Some(ZONE_DATA);
    let (phase, word) = match state {
        _ if is_zone_data => (Phase::Scheduled, texts.zone_data_because()),
        _ if why.as_deref() == Some(PUBLISH_NOW_FAILED) => (Phase::Failed, texts.failed_because()),
        Some(Ok(State::Failed)) => (Phase::Failed, texts.failed_because()),
        Some(Ok(State::Missed)) => (Phase::Missed, texts.missed_because()),
        _ => (Phase::Due, texts.overdue_because()),
    };
    let rows =
        move || group.with(|group| group.as_ref().map(|group| group.tasks.clone()).unwrap_or_default());
    let count = move || {
        group.with(|group| {
            let (shown, total) = group.as_ref().map(|group| (group.tasks.len(), group.total))?;
            (total > shown as u64).then(|| texts.shown_of(shown, total))
        })
    };
    // A plain form: the page is loaded again afterwards.
    let dismiss = is_zone_data.then(|| {
        view! {
            <form method="post" action="/fn/dismiss_zone_moves" class="inline">
                <input type="hidden" name="seen_at" value=live().now().get_untracked().to_string() />
                <input type="hidden" name="from" value="/attention" />
                <button class="button small" type="submit">{texts.dismiss()}</button>
            </form>
        }
    });
    view! {
        <section class="cause" data-phase=phase.as_str()>
            <header>
                <span class="phase" data-phase=phase.as_str()><Icon name=phase.as_str() />{word}</span>
                <h2>{reason::sentence(language(), &why.unwrap_or_default())}</h2>
                <span class="eyebrow">{count}</span>
            </header>
            <RetryGroup group=group />
            {dismiss}
            <ul class="task-list"><For each=rows key=key children=|row| view! { <TaskRow row=row /> } /></ul>
        </section>
    }
}

/// Messages of one channel that failed or are unconfirmed.
#[component]
fn Messages(deliveries: Signal<Vec<Delivery>>, id: String) -> impl IntoView {
    let (texts, is_admin) = (ChannelTexts::here(), crate::shell::session::visitor().is_admin());
    let (name, form) = (id.clone(), id);
    let rows = Memo::new(move |_| {
        deliveries.with(|all| all.iter().filter(|one| messages_id(one) == name).cloned().collect::<Vec<_>>())
    });
    let (state, channel) =
        rows.with_untracked(|rows| rows.first().map(|row| (row.state, row.channel.clone()))).unzip();
    let (phase, title) = match state {
        Some(DeliveryState::Unconfirmed) => (Phase::Missed, texts.deliveries_unconfirmed()),
        _ => (Phase::Failed, texts.deliveries_failed()),
    };
    let count = Memo::new(move |_| rows.with(Vec::len) as u64);
    let retry = move || {
        (is_admin && count.get() > 1).then(|| view! { <RetryForm id=form.clone() all=count.get() /> })
    };
    view! {
        <section class="cause" data-phase=phase.as_str()>
            <header>
                <span class="phase" data-phase=phase.as_str()><Icon name=phase.as_str() />{state.map(|state| texts.state(state))}</span>
                <h2>{title}" · "{channel.map(|channel| texts.to(channel))}</h2>
                <span class="eyebrow">{(!is_admin).then(|| texts.ask_admin())}</span>
            </header>
            {retry}
            <ul class="delivery-list">
                <For each=move || rows.get() key=row::key children=|row| view! { <DeliveryRow row=row /> } />
            </ul>
        </section>
    }
}
