//! `/tasks`: the list of tasks, by state and title.

use crate::{
    live::live_resource,
    shell::texts::LayoutTexts,
    tasks::{
        row::{TaskRow, key},
        server_fns::list_tasks,
        texts::TaskTexts,
    },
    ui::{async_view::AsyncView, empty::Empty, icon::Icon, page_header::PageHeader},
};
use domain::{Page, State, task::TaskRow as Row};
use leptos::{either::Either, prelude::*};
use leptos_router::{components::Form, hooks::use_query_map};

/// Filters in the URL.
#[derive(Debug, Clone, Default, PartialEq)]
struct ListQuery {
    state: String,
    q: String,
    cursor: Option<String>,
}

impl ListQuery {
    fn is_filtered(&self) -> bool {
        !self.state.is_empty() || !self.q.is_empty()
    }
}

/// The list of tasks.
#[component]
pub fn Tasks() -> impl IntoView {
    let texts = TaskTexts::here();
    let query = use_query_map();
    let list_query = Memo::new(move |_| {
        query.with(|query| ListQuery {
            state: query.get("state").unwrap_or_default(),
            q: query.get("q").unwrap_or_default(),
            cursor: query.get("cursor"),
        })
    });
    let read = live_resource(
        |change| matches!(change.entity.as_str(), "task" | "article"),
        move || list_query.get(),
        |list_query| list_tasks(list_query.state, list_query.q, list_query.cursor),
    );
    view! {
        <PageHeader title=texts.title().to_owned() lead=texts.lead() />
        <Filter list_query=list_query />
        <AsyncView from=read children=move |page| view! { <List page=page list_query=list_query /> } />
    }
}

/// The filters: a plain form, so that the URL holds them.
#[component]
fn Filter(list_query: Memo<ListQuery>) -> impl IntoView {
    let (texts, layout_texts) = (TaskTexts::here(), LayoutTexts::here());
    let first = list_query.get_untracked();
    let states: Vec<_> = State::ALL
        .iter()
        .map(|state| {
            let is_it = move || list_query.with(|list_query| list_query.state == state.as_str());
            view! { <option value=state.as_str() selected=is_it>{texts.state_of(*state)}</option> }
        })
        .collect();
    view! {
        <Form method="GET" action="/tasks" attr:class="fields" attr:role="search">
            <div class="field grow">
                <label for="q">{texts.find()}</label>
                <input id="q" name="q" type="search" value=first.q maxlength=domain::input_limits::MAX_SEARCH_CHARS.to_string() />
            </div>
            <div class="field">
                <label for="state">{texts.state()}</label>
                <select id="state" name="state">
                    <option value="" selected=move || list_query.with(|list_query| list_query.state.is_empty())>{layout_texts.all()}</option>
                    {states}
                </select>
            </div>
            <button class="button" type="submit"><Icon name="search" />{texts.filter()}</button>
        </Form>
    }
}

#[component]
fn List(page: Signal<Page<Row>>, list_query: Memo<ListQuery>) -> impl IntoView {
    let is_empty = Memo::new(move |_| page.with(|page| page.items.is_empty()));
    let items = move || page.with(|page| page.items.clone());
    view! {
        {move || {
            if is_empty.get() {
                Either::Left(view! { <NoTasks is_filtered=list_query.with(ListQuery::is_filtered) /> })
            } else {
                Either::Right(view! {
                    <ul class="task-list"><For each=items key=key children=|row| view! { <TaskRow row=row /> } /></ul>
                })
            }
        }}
        <Cursor page=page list_query=list_query />
    }
}

#[component]
fn NoTasks(is_filtered: bool) -> impl IntoView {
    let texts = TaskTexts::here();
    let hint = if is_filtered { texts.empty_filtered() } else { texts.empty() };
    view! {
        <Empty title=texts.nothing() hint=hint>
            {is_filtered.then(|| view! { <a class="button" href="/tasks">{texts.show_all()}</a> })}
        </Empty>
    }
}

/// Links to the next and the first page.
#[component]
fn Cursor(page: Signal<Page<Row>>, list_query: Memo<ListQuery>) -> impl IntoView {
    let layout_texts = LayoutTexts::here();
    let address = move |cursor: Option<&str>| {
        let ListQuery { state, q, .. } = list_query.get();
        let q = leptos_router::location::Url::escape(&q);
        match cursor {
            Some(cursor) => format!("/tasks?state={state}&q={q}&cursor={cursor}"),
            None => format!("/tasks?state={state}&q={q}"),
        }
    };
    let next = move || page.with(|page| page.next_cursor.as_deref().map(|cursor| address(Some(cursor))));
    let first = move || list_query.with(|list_query| list_query.cursor.is_some()).then(|| address(None));
    view! {
        <nav class="cursor" aria-label=TaskTexts::here().pages()>
            {move || first().map(|href| view! { <a href=href>{layout_texts.first_page()}</a> })}
            {move || next().map(|href| view! { <a href=href>{layout_texts.next_page()}</a> })}
        </nav>
    }
}
