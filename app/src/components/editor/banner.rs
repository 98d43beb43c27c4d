//! What stands above the editor when there are two texts: a copy on this device, or somebody else's revision.

use super::{
    FORM,
    copy::Text,
    draft::{Draft, Theirs},
};
use crate::{
    components::{copy_button::copy_to_clipboard, textarea::Textarea},
    words::articles::ArticleWords,
};
use leptos::{ev, prelude::*};

/// Offers the text that this device kept and the desk never had.
#[component]
pub fn FoundBanner(draft: Draft) -> impl IntoView {
    let words = ArticleWords::here();
    move || {
        draft.found.get().map(|text| {
            let start: String = text.body.chars().take(160).collect();
            let (title, dropped) = (text.title.clone(), text.clone());
            view! {
                <section class="offer" role="status">
                    <p>{words.found_copy()}</p>
                    <blockquote><strong>{title}</strong>" "{start}</blockquote>
                    <p class="row">
                        <button type="button" class="button" on:click=move |_| draft.bring_back(&text)>
                            {words.restore_copy()}
                        </button>
                        <button type="button" class="button bare" on:click=move |_| draft.throw_away(&dropped)>
                            {words.drop_copy()}
                        </button>
                    </p>
                </section>
            }
        })
    }
}

/// Shows both texts after somebody else saved, and what can be done.
#[component]
pub fn ConflictBanner(draft: Draft) -> impl IntoView {
    move || draft.theirs.get().map(|theirs| view! { <Conflict draft=draft theirs=theirs /> })
}

#[component]
fn Conflict(draft: Draft, theirs: Theirs) -> impl IntoView {
    let words = ArticleWords::here();
    let mine = draft.text.get_untracked();
    let here = draft.id.get_untracked().map(|id| format!("/articles/{id}"));
    let is_copied = RwSignal::new(false);
    let keep = move |event: ev::MouseEvent| {
        event.prevent_default();
        draft.keep_mine();
    };
    let take = move |event: ev::MouseEvent| {
        event.prevent_default();
        draft.take_theirs();
    };
    let copy = move |_| {
        draft.text.with_untracked(|text| copy_to_clipboard(&format!("{}\n\n{}", text.title, text.body)));
        is_copied.set(true);
    };
    view! {
        <section class="offer conflict" role="alert" aria-labelledby="conflict-heading">
            <h2 id="conflict-heading">{words.conflict()}</h2>
            <p>{words.conflict_hint()}</p>
            <div class="conflict-texts">
                <Side name="mine" heading=words.mine_text().to_owned() text=mine />
                <Side
                    name="theirs"
                    heading=format!("{} · {}", words.their_text(), words.revision(theirs.revision))
                    text=theirs.text
                />
            </div>
            <p class="row">
                <button type="submit" form=FORM class="button main" on:click=keep>{words.keep_mine()}</button>
                <a class="button" href=here on:click=take>{words.take_theirs()}</a>
                <button type="button" class="button bare needs-script" on:click=copy>
                    {move || if is_copied.get() { words.copied() } else { words.copy_mine() }}
                </button>
            </p>
        </section>
    }
}

#[component]
fn Side(name: &'static str, heading: String, text: Text) -> impl IntoView {
    view! {
        <div class="conflict-side">
            <h3>{heading}</h3>
            <p class="conflict-title">{text.title}</p>
            <label class="hidden-word" for=name>{ArticleWords::here().text()}</label>
            <Textarea name=name value=text.body rows=12 class="editor-text" attr:readonly=true />
        </div>
    }
}
