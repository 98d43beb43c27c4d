//! The other sites on which an article is published, on its page. For admins.

use super::posts_fns::{ChoosePost, ON, list_posts};
use crate::{
    live::live_resource,
    session::visitor,
    ui::{
        async_view::AsyncView,
        form::Form,
        result::{ActionResult, announce},
    },
};
use domain::post::{Post, PostState};
use leptos::prelude::*;
use texts::deliveries::{ChannelTexts, posts::PostTexts};

/// Id of the form whose buttons are in the rows.
const POST_FORM: &str = "post-actions";

/// The panel; nothing for other users, and without a channel that publishes on another site.
#[component]
pub fn AlsoOn(
    /// Id of the article.
    #[prop(into)]
    id: Signal<String>,
) -> impl IntoView {
    visitor().is_admin().then(|| view! { <ForAdmins id=id /> })
}

#[component]
fn ForAdmins(id: Signal<String>) -> impl IntoView {
    let read = live_resource(
        |change| matches!(change.entity.as_str(), "channel" | "delivery" | "article" | "task"),
        move || id.get(),
        list_posts,
    );
    let action = ServerAction::<ChoosePost>::new();
    announce(action, |()| ActionResult::new(ChannelTexts::here().saved()));
    view! {
        <Form action=action id=POST_FORM>
            <input type="hidden" name="article" prop:value=move || id.get() value=id.get_untracked() />
        </Form>
        <AsyncView from=read children=|posts| view! { <Rows posts=posts /> } />
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
    let is_public = post.state == PostState::Published;
    let label = match post.is_chosen {
        false => texts.turn_on(),
        true if is_public => texts.withdraw(),
        true => texts.turn_off(),
    };
    let choice = format!("{}:{}", post.channel, if post.is_chosen { "off" } else { ON });
    let full_label = format!("{label} – {}", post.name);
    let link = post.url.filter(|_| is_public).map(|url| {
        let address = url.clone();
        view! { " " <a href=address rel="external noopener">{url}</a> }
    });
    let needs_look = matches!(post.state, PostState::Failed | PostState::Unconfirmed);
    let log = needs_look.then(|| {
        view! { " " <a href=format!("/settings/channels/{}", post.channel)>{texts.show_delivery()}</a> }
    });
    view! {
        <li class="delivery-row">
            <div class="delivery-what">
                <strong>{post.name.clone()}</strong>
                <span class="muted detail">{texts.state(post.state)} {link} {log}</span>
                {post.problem.map(|problem| view! { <span class="problem">{problem}</span> })}
            </div>
            <button class="button small" type="submit" form=POST_FORM name="choice" value=choice aria-label=full_label>
                {label}
            </button>
        </li>
    }
}
