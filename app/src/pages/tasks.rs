//! The list of tasks: by state, by title, page after page.

use crate::{
    calls::tasks::list_tasks,
    components::{
        empty::Empty,
        head::Head,
        icon::Icon,
        loaded::Loaded,
        task_row::{TaskRow, key},
    },
    live::follow,
    words::{frame::FrameWords, task::TaskWords},
};
use domain::{Page, State, task::TaskRow as Row};
use leptos::{either::Either, prelude::*};
use leptos_router::{components::Form, hooks::use_query_map};

/// What the address asks for.
#[derive(Debug, Clone, Default, PartialEq)]
struct Asked {
    state: String,
    q: String,
    cursor: Option<String>,
}

impl Asked {
    fn is_narrow(&self) -> bool {
        !self.state.is_empty() || !self.q.is_empty()
    }
}

/// The list of tasks.
#[component]
pub fn Tasks() -> impl IntoView {
    let words = TaskWords::here();
    let query = use_query_map();
    let asked = Memo::new(move |_| {
        query.with(|query| Asked {
            state: query.get("state").unwrap_or_default(),
            q: query.get("q").unwrap_or_default(),
            cursor: query.get("cursor"),
        })
    });
    let read = follow(
        |change| change.entity == "task",
        move || asked.get(),
        |asked| list_tasks(asked.state, asked.q, asked.cursor),
    );
    view! {
        <Head title=words.title().to_owned() lead=words.lead() />
        <Filter asked=asked />
        <Loaded from=read children=move |page| view! { <List page=page asked=asked /> } />
    }
}

/// Which ones: a plain form whose answer is an address.
#[component]
fn Filter(asked: Memo<Asked>) -> impl IntoView {
    let (words, frame) = (TaskWords::here(), FrameWords::here());
    let first = asked.get_untracked();
    let states: Vec<_> = State::ALL
        .iter()
        .map(|state| {
            let is_it = move || asked.with(|asked| asked.state == state.as_str());
            view! { <option value=state.as_str() selected=is_it>{words.state_of(*state)}</option> }
        })
        .collect();
    view! {
        <Form method="GET" action="/tasks" attr:class="fields" attr:role="search">
            <div class="field grow">
                <label for="q">{words.find()}</label>
                <input id="q" name="q" type="search" value=first.q maxlength=domain::limit::SEARCH_CHARS.to_string() />
            </div>
            <div class="field">
                <label for="state">{words.state()}</label>
                <select id="state" name="state">
                    <option value="" selected=move || asked.with(|asked| asked.state.is_empty())>{frame.all()}</option>
                    {states}
                </select>
            </div>
            <button class="button" type="submit"><Icon name="search" />{words.filter()}</button>
        </Form>
    }
}

#[component]
fn List(page: Signal<Page<Row>>, asked: Memo<Asked>) -> impl IntoView {
    let is_empty = Memo::new(move |_| page.with(|page| page.items.is_empty()));
    let items = move || page.with(|page| page.items.clone());
    view! {
        {move || {
            if is_empty.get() {
                Either::Left(view! { <NoTasks is_narrow=asked.with(Asked::is_narrow) /> })
            } else {
                Either::Right(view! {
                    <ul class="task-list"><For each=items key=key children=|row| view! { <TaskRow row=row /> } /></ul>
                })
            }
        }}
        <Cursor page=page asked=asked />
    }
}

#[component]
fn NoTasks(is_narrow: bool) -> impl IntoView {
    let words = TaskWords::here();
    let hint = if is_narrow { words.empty_filtered() } else { words.empty() };
    view! {
        <Empty title=words.nothing() hint=hint>
            {is_narrow.then(|| view! { <a class="button" href="/tasks">{words.show_all()}</a> })}
        </Empty>
    }
}

/// The way to the next page and back to the first.
#[component]
fn Cursor(page: Signal<Page<Row>>, asked: Memo<Asked>) -> impl IntoView {
    let frame = FrameWords::here();
    let address = move |cursor: Option<&str>| {
        let Asked { state, q, .. } = asked.get();
        let q = leptos_router::location::Url::escape(&q);
        match cursor {
            Some(cursor) => format!("/tasks?state={state}&q={q}&cursor={cursor}"),
            None => format!("/tasks?state={state}&q={q}"),
        }
    };
    let next = move || page.with(|page| page.next_cursor.as_deref().map(|cursor| address(Some(cursor))));
    let first = move || asked.with(|asked| asked.cursor.is_some()).then(|| address(None));
    view! {
        <nav class="cursor" aria-label=TaskWords::here().pages()>
            {move || first().map(|href| view! { <a href=href>{frame.first_page()}</a> })}
            {move || next().map(|href| view! { <a href=href>{frame.next_page()}</a> })}
        </nav>
    }
}
