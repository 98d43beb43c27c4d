//! `/help`, with all topics, words and keys, and `/help/:topic`.

use super::{
    keys::{Key, KeyGroup},
    keys_table::KeysTable,
    paths::{GENERAL, topic_of},
    search::Search,
    topics::{Group, Topic},
    words::{self, Word},
};
use crate::{
    server_fns::not_found,
    session::visitor,
    ui::{empty::Empty, page::header::PageHeader},
};
use leptos::prelude::*;
use leptos_router::{
    components::Form,
    hooks::{use_params_map, use_query_map},
};
use texts::colon;
use texts::help::HelpTexts;

/// Parameter of the search.
const QUERY: &str = "q";
/// Last part of the address of the topic of a page, which the parameter `path` names.
const FOR_PATH: &str = "for";
const PATH: &str = "path";
/// Topic that leads to the first steps on a new desk.
const TODAY: &str = "today";

/// `/help`: everything, or what a search finds.
#[component]
pub fn HelpIndex() -> impl IntoView {
    let texts = HelpTexts::here();
    let query = use_query_map();
    let typed = Memo::new(move |_| query.with(|query| query.get(QUERY)).unwrap_or_default());
    view! {
        <PageHeader title=texts.title().to_owned() lead=texts.lead() />
        <SearchForm typed=typed />
        {move || typed.with(|typed| view! { <Found search=Search::new(typed) /> })}
    }
}

/// `/help/:topic`: one topic.
#[component]
pub fn HelpTopic() -> impl IntoView {
    let (params, query) = (use_params_map(), use_query_map());
    let topic = Memo::new(move |_| {
        let slug = params.with(|params| params.get("topic")).unwrap_or_default();
        match slug.as_str() {
            FOR_PATH => {
                let path = query.with(|query| query.get(PATH)).unwrap_or_default();
                Topic::find(topic_of(&path)).or_else(|| Topic::find(GENERAL))
            }
            slug => Topic::find(slug),
        }
    });
    move || match topic.get() {
        Some(topic) => view! { <TopicPage topic=topic /> }.into_any(),
        None => view! { <Unknown /> }.into_any(),
    }
}

#[component]
fn TopicPage(topic: &'static Topic) -> impl IntoView {
    let texts = HelpTexts::here();
    let title = format!("{}{}{}", texts.title(), colon(), topic.title.here());
    let table = |group: &KeyGroup| view! { <KeysTable group=*group keys=group.keys().to_vec() /> };
    let own_keys = topic.keys.iter().map(table).collect_view();
    view! {
        <PageHeader title=title.clone() />
        <div class="help-topic" data-title=title>
            <p>{topic.what.here()}</p>
            <p>{topic.then.here()}</p>
            {topic.is_for_admins.then(|| view! { <p class="hint">{texts.for_admins()}</p> })}
            {(!topic.keys.is_empty()).then(|| view! { <section><h2>{texts.keys()}</h2>{own_keys}</section> })}
            {(topic.slug == TODAY && visitor().is_admin()).then(|| view! {
                <p><a class="help-link" href="/?steps=first">{texts.first_week()}</a></p>
            })}
            <Words words=topic.words().collect() />
            <section id="shortcuts">
                <h2>{texts.keys_everywhere()}</h2>
                <KeysTable group=KeyGroup::Everywhere keys=KeyGroup::Everywhere.keys().to_vec() is_named=true />
                <SingleKeysHint />
            </section>
        </div>
        <p><a class="help-link" href="/help">{texts.all()}</a></p>
    }
}

/// An unknown address, with status 404 and all topics.
#[component]
fn Unknown() -> impl IntoView {
    let texts = HelpTexts::here();
    let status = Resource::new_blocking(|| (), |()| not_found());
    view! {
        <PageHeader title=texts.title().to_owned() lead=texts.unknown() />
        <SearchForm typed=Memo::new(|_| String::new()) />
        <Found search=Search::default() />
        <Suspense fallback=|| ()>{move || Suspend::new(async move { let _ = status.await; })}</Suspense>
    }
}

/// The search: a form that works without script.
#[component]
fn SearchForm(typed: Memo<String>) -> impl IntoView {
    let texts = HelpTexts::here();
    view! {
        <Form method="GET" action="/help" attr:class="fields filters">
            <div class="field grow">
                <label for="help-q">{texts.search()}</label>
                <input id="help-q" type="search" name=QUERY value=typed.get_untracked() prop:value=move || typed.get() maxlength="200" />
            </div>
            <button type="submit" class="button">{texts.find()}</button>
        </Form>
    }
}

/// Topics, words and keys that a search finds.
#[component]
fn Found(search: Search) -> impl IntoView {
    let texts = HelpTexts::here();
    let find_topics = |group: Group| {
        let is_found =
            |topic: &&Topic| search.finds(&[topic.title, topic.what, topic.then, group.title()], "");
        (group, group.topics().filter(is_found).collect::<Vec<_>>())
    };
    let topics: Vec<_> =
        Group::ALL.map(find_topics).into_iter().filter(|(_, found)| !found.is_empty()).collect();
    let words: Vec<_> =
        words::all().filter(|word| search.finds(&[word.name, word.meaning, word.example], "")).collect();
    let find_keys = |group: KeyGroup| {
        let is_found = |key: &&Key| search.finds(&[key.what, group.title()], key.keys);
        (group, group.keys().iter().filter(is_found).copied().collect::<Vec<_>>())
    };
    let keys: Vec<_> =
        KeyGroup::ALL.map(find_keys).into_iter().filter(|(_, found)| !found.is_empty()).collect();
    if topics.is_empty() && words.is_empty() && keys.is_empty() {
        return view! {
            <Empty title=texts.nothing() hint=texts.nothing_hint()>
                <p><a class="button" href="/help">{texts.clear()}</a></p>
            </Empty>
        }
        .into_any();
    }
    let tables =
        keys.into_iter().map(|(group, keys)| view! { <KeysTable group=group keys=keys /> }).collect_view();
    view! {
        <div class="help-all">
            {(!topics.is_empty()).then(|| view! { <Pages groups=topics /> })}
            <Words words=words />
            {(!tables.is_empty()).then(|| view! { <section><h2>{texts.keys()}</h2>{tables}<SingleKeysHint /></section> })}
        </div>
    }
    .into_any()
}

/// Links to topics, by group.
#[component]
fn Pages(groups: Vec<(Group, Vec<&'static Topic>)>) -> impl IntoView {
    let row = |topic: &'static Topic| {
        let href = format!("/help/{}", topic.slug);
        view! { <li><a class="help-link" href=href>{topic.title.here()}</a><p>{topic.what.here()}</p></li> }
    };
    let group = |(group, topics): (Group, Vec<&'static Topic>)| {
        let rows = topics.into_iter().map(row).collect_view();
        view! { <div><h3>{group.title().here()}</h3><ul>{rows}</ul></div> }
    };
    view! {
        <section>
            <h2>{HelpTexts::here().pages()}</h2>
            <div class="help-pages">{groups.into_iter().map(group).collect_view()}</div>
        </section>
    }
}

/// Words, each with its meaning and an example.
#[component]
fn Words(words: Vec<&'static Word>) -> impl IntoView {
    let texts = HelpTexts::here();
    let entry = |word: &'static Word| {
        let example = format!("{} {}", texts.example(), word.example.here());
        view! {
            <div id=format!("word-{}", word.slug)>
                <dt>{word.name.here()}</dt>
                <dd>{word.meaning.here()}</dd>
                <dd class="help-example">{example}</dd>
            </div>
        }
    };
    (!words.is_empty()).then(|| {
        view! {
            <section>
                <h2>{texts.words()}</h2>
                <dl class="help-words">{words.into_iter().map(entry).collect_view()}</dl>
            </section>
        }
    })
}

#[component]
fn SingleKeysHint() -> impl IntoView {
    let texts = HelpTexts::here();
    view! { <p class="hint">{texts.single_keys()} " " <a href="/settings/profile">{texts.profile()}</a></p> }
}
