//! The other sites on which an article is published, on its page. For admins.

use super::posts_fns::{ChangePost, ChoosePost, ON};
use crate::{
    live::live_resource,
    server_fns::Refused,
    session::visitor,
    ui::{
        async_view::AsyncView,
        form::Form,
        result::{ActionResult, announce},
        time::date_time::Relative,
    },
};
use domain::post::{Post, PostAction, PostState};
use leptos::prelude::*;
use texts::deliveries::{ChannelTexts, posts::PostTexts};

/// Id of the form whose buttons choose an article for a site, or not any more.
const POST_FORM: &str = "post-choices";
/// Id of the form whose buttons do something with a post.
const ACTION_FORM: &str = "post-actions";

/// The panel; nothing for other users, and without a channel that publishes on another site.
#[component]
pub fn AlsoOn<F, R>(
    /// Id of the article, or of what publishes it.
    #[prop(into)]
    id: Signal<String>,
    /// Reads the posts.
    list: F,
) -> impl IntoView
where
    F: Fn(String) -> R + Send + Sync + 'static,
    R: Future<Output = Result<Vec<Post>, Refused>> + Send + 'static,
{
    visitor().is_admin().then(|| {
        let read = live_resource(
            |change| matches!(change.entity.as_str(), "channel" | "delivery" | "article" | "task"),
            move || id.get(),
            list,
        );
        view! { <AsyncView from=read children=|posts| view! { <ForAdmins posts=posts /> } /> }
    })
}

#[component]
fn ForAdmins(posts: Signal<Vec<Post>>) -> impl IntoView {
    let article = Memo::new(move |_| {
        posts.with(|posts| posts.first().map(|post| post.article.to_string()).unwrap_or_default())
    });
    let action = ServerAction::<ChoosePost>::new();
    announce(action, |()| ActionResult::new(ChannelTexts::here().saved()));
    let change = ServerAction::<ChangePost>::new();
    announce(change, |()| ActionResult::new(ChannelTexts::here().saved()));
    view! {
        <Form action=action id=POST_FORM>
            <input type="hidden" name="article" prop:value=move || article.get() value=article.get_untracked() />
        </Form>
        <Form action=change id=ACTION_FORM>
            <input type="hidden" name="article" prop:value=move || article.get() value=article.get_untracked() />
        </Form>
        <Rows posts=posts />
    }
}

#[component]
fn Rows(posts: Signal<Vec<Post>>) -> impl IntoView {
    move || {
        let rows = posts.get();
        (!rows.is_empty()).then(|| {
            view! {
                <section class="panel" aria-labelledby="also-on">
                    <header><h2 id="also-on">{PostTexts::here().title()}</h2></header>
                    <p class="hint">{PostTexts::here().limits()}</p>
                    <ul class="channel-list">
                        {rows.into_iter().map(|post| view! { <Row post=post /> }).collect_view()}
                    </ul>
                </section>
            }
        })
    }
}

#[component]
fn Row(post: Post) -> impl IntoView {
    let texts = PostTexts::here();
    let is_public = post.state.is_public();
    let label = match post.is_chosen {
        false => texts.turn_on(),
        true if is_public => texts.withdraw(),
        true => texts.turn_off(),
    };
    let choice = format!("{}:{}", post.channel, if post.is_chosen { "off" } else { ON });
    let full_label = format!("{label} – {}", post.name);
    let sentence = texts.sentence(&post);
    let link = post.url.clone().filter(|_| is_public).map(|url| {
        let address = url.clone();
        view! { " " <a href=address rel="external noopener">{url}</a> }
    });
    let checked = post.checked_at.filter(|_| post.is_chosen).map(|at| {
        view! { " · " {texts.checked()} " " <Relative at=at is_past=true /> }
    });
    let log = post.state.needs_user().then(|| {
        view! { " " <a href=format!("/settings/channels/{}", post.channel)>{texts.show_delivery()}</a> }
    });
    let both = post.is_edited_there().then(|| {
        let page = format!("/articles/{}/posts/{}", post.article, post.channel);
        view! { " " <a href=page>{texts.both()}</a> }
    });
    let removed = (!post.removed.is_empty() && post.is_chosen).then(|| {
        let names = texts.removed(post.removed.join(", "));
        view! { <span class="muted detail">{names}</span> }
    });
    let buttons =
        actions(&post).into_iter().map(|action| view! { <ActionButton post=post.clone() action=action /> });
    let buttons = buttons.collect_view();
    view! {
        <li class="delivery-row" data-state=post.state.as_str()>
            <div class="delivery-what">
                <strong>{post.name.clone()}</strong>
                <span class="muted detail">{sentence} {checked} {link} {both} {log}</span>
                {removed}
                {post.problem.map(|problem| view! { <span class="problem">{problem}</span> })}
            </div>
            <div class="row delivery-actions">
                {buttons}
                <button class="button small" type="submit" form=POST_FORM name="choice" value=choice aria-label=full_label>
                    {label}
                </button>
            </div>
        </li>
    }
}

/// What a user may do with a post in its state.
fn actions(post: &Post) -> Vec<PostAction> {
    match post.state {
        PostState::ChangedThere if post.is_chosen => {
            vec![PostAction::Retry, PostAction::Overwrite, PostAction::Leave]
        }
        PostState::ChangedThere => vec![PostAction::Leave],
        PostState::Failed | PostState::Unconfirmed | PostState::Cancelled => vec![PostAction::Retry],
        PostState::Planned | PostState::Ready | PostState::Live => vec![PostAction::Check],
        PostState::Published if post.url.is_some() => vec![PostAction::Check],
        _ => Vec::new(),
    }
}

/// The button of an action.
#[component]
fn ActionButton(post: Post, action: PostAction) -> impl IntoView {
    let label = PostTexts::here().action(action);
    let full_label = format!("{label} – {}", post.name);
    let id = post.id.map(|id| id.to_string()).unwrap_or_default();
    let choice = format!("{id}:{}:{action}", post.version.0);
    view! {
        <button class="button small" type="submit" form=ACTION_FORM name="choice" value=choice aria-label=full_label>
            {label}
        </button>
    }
}
