//! `/releases/{id}`: the articles of a release, whether they are ready, and its moment.

use crate::releases::{
    choices::{ArticlePicker, ticked_ids},
    list_page::StateMark,
    schedule::Moment,
    server_fns::{ActOnRelease, ChangeReleaseItem, OfferedArticle, ReleaseView, RenameRelease, find_release},
};
use crate::{
    live::live_resource,
    ui::{
        async_view::AsyncView,
        form::{Alert, PlainForm, field::Field, kept_view::KeptView, result_of},
        icon::Icon,
        page::header::PageHeader,
        time::picker::CityList,
    },
};
use domain::releases::{Release, ReleaseAction, ReleaseItem, ReleaseRow};
use leptos::prelude::*;
use leptos_router::hooks::{use_params_map, use_query_map};
use server_fn::ServerFn;
use texts::articles::releases::ReleaseTexts;
use texts::{language, problem::release::item_problem};

/// The page.
#[component]
pub fn ReleasePage() -> impl IntoView {
    let (params, query) = (use_params_map(), use_query_map());
    let wanted = Memo::new(move |_| {
        let id = params.with(|params| params.get("id").unwrap_or_default());
        query.with(|query| {
            (id, query.get("q").unwrap_or_default(), ticked_ids(query, ChangeReleaseItem::PATH))
        })
    });
    let read = live_resource(
        |change| matches!(change.entity.as_str(), "release" | "article" | "task" | "review" | "word_list"),
        move || wanted.get(),
        |(id, q, ids)| find_release(id, q, ids),
    );
    let q = Signal::derive(move || wanted.with(|(_, q, _)| q.clone()));
    view! {
        <AsyncView from=read children=move |found| view! { <Whole found=found q=q /> } />
        <CityList />
    }
}

#[component]
fn Whole(found: Signal<ReleaseView>, q: Signal<String>) -> impl IntoView {
    let texts = ReleaseTexts::here();
    let latest = Memo::new(move |_| found.get());
    view! {
        <PageHeader title=Signal::derive(move || latest.with(|found| found.release.row.name.clone()))>
            <a class="button" href="/releases"><Icon name="left" />{texts.back()}</a>
        </PageHeader>
        <KeptView latest=latest children=move |ReleaseView { release, ticked, gone, offered }| {
            let row = release.row.clone();
            let may_edit = row.may_change && row.state.may_edit();
            view! {
                <div class="stack">
                <p class="row"><StateMark state=row.state /> <span class="muted" dir="auto">{row.owner.clone()}</span></p>
                {(!row.may_change).then(|| view! { <p class="muted">{texts.not_yours()}</p> })}
                <Items release=release.clone() may_edit=may_edit />
                {may_edit.then(|| view! { <AddForm row=row.clone() ticked=ticked gone=gone offered=offered q=q.get() /> })}
                <Moment release=release />
                {may_edit.then(|| view! { <Settings row=row /> })}
                </div>
            }
        } />
    }
}

#[component]
fn Items(release: Release, may_edit: bool) -> impl IntoView {
    let texts = ReleaseTexts::here();
    let row = release.row;
    let count = texts.count(row.count);
    let items = release.items;
    let shown = match items.is_empty() {
        true => view! { <p class="muted">{texts.no_articles()}</p> }.into_any(),
        false => {
            let item = |item| view! { <Item row=row.clone() item=item may_edit=may_edit /> };
            view! {
                <table class="list-table">
                    <thead>
                        <tr>
                            <th scope="col">{texts.article()}</th>
                            <th scope="col">{texts.ready_column()}</th>
                            <th scope="col" class="when">{texts.action()}</th>
                            {may_edit.then(|| view! { <th scope="col" class="actions"><span class="visually-hidden">{texts.remove()}</span></th> })}
                        </tr>
                    </thead>
                    <tbody>{items.into_iter().map(item).collect_view()}</tbody>
                </table>
            }
            .into_any()
        }
    };
    view! {
        <section class="panel" aria-labelledby="articles">
            <header><h2 id="articles">{texts.articles()}</h2><span class="muted">{count}</span></header>
            {shown}
        </section>
    }
}

/// An article: title, what keeps it from being published, action and revision, and its buttons.
#[component]
fn Item(row: ReleaseRow, item: ReleaseItem, may_edit: bool) -> impl IntoView {
    let texts = ReleaseTexts::here();
    let article = item.article.to_string();
    let (title, is_gone) = match item.title.is_empty() {
        true => (texts.deleted_article().to_owned(), true),
        false => (item.title.clone(), false),
    };
    let why = item.problem.map(|problem| texts.it_is(item_problem(language(), problem)));
    let phase = match item.problem {
        Some(_) => "failed",
        None => "executed",
    };
    let action = match item.revision {
        Some(number) => format!("{} · {}", texts.action_of(item.action), texts.revision(number)),
        None => texts.action_of(item.action).to_owned(),
    };
    let (href, remove) = (format!("/articles/{article}"), format!("{} – {title}", texts.remove()));
    let heading = match is_gone {
        true => view! { <span class="title">{title}</span> }.into_any(),
        false => view! { <a class="title" dir="auto" href=href>{title}</a> }.into_any(),
    };
    let is_newer = item.has_newer && may_edit;
    view! {
        <tr class="list-row">
            <th scope="row" class="main">
                {heading}
                {why.map(|why| view! { <p class="meta" dir="auto">{why}</p> })}
                {is_newer.then(|| view! { <p class="meta">{texts.newer()}</p> })}
            </th>
            <td class="state"><span class="phase state-mark" data-phase=phase>{texts.ready_of(item.state)}</span></td>
            <td class="when">{action}</td>
            {may_edit.then(|| view! {
                <td class="actions">
                    <PlainForm function=ChangeReleaseItem::PATH about=article.clone() class="inline">
                        <ItemFields row=row />
                        <input type="hidden" name="id" value=article />
                        {is_newer.then(|| view! {
                            <button class="button small" type="submit" name="action" value="refresh">{texts.use_current()}</button>
                        })}
                        <button class="button small" type="submit" name="action" value="remove" aria-label=remove>{texts.remove()}</button>
                    </PlainForm>
                </td>
            })}
        </tr>
    }
}

/// The hidden fields of a form that changes the articles.
#[component]
fn ItemFields(row: ReleaseRow) -> impl IntoView {
    view! {
        <input type="hidden" name="release" value=row.id.to_string() />
        <input type="hidden" name="seen" value=row.version.0 />
    }
}

/// Finds articles, and adds those that are ticked.
#[component]
fn AddForm(
    row: ReleaseRow,
    ticked: Vec<OfferedArticle>,
    gone: u32,
    offered: Vec<OfferedArticle>,
    q: String,
) -> impl IntoView {
    let texts = ReleaseTexts::here();
    let page = format!("/releases/{}", row.id);
    let has_articles = !(ticked.is_empty() && offered.is_empty());
    let refusal = result_of(ChangeReleaseItem::PATH, None).filter(|form| form.typed("id").is_none());
    let refusal = Signal::stored(refusal.map(|form| form.refusal));
    let action = move |action: ReleaseAction| {
        view! { <option value=action.as_str()>{texts.action_of(action)}</option> }
    };
    view! {
        <section class="panel" aria-labelledby="add">
            <header><h2 id="add">{texts.add()}</h2></header>
            <form method="post" action=ChangeReleaseItem::PATH class="stack">
                <input type="hidden" name="from" value=page.clone() />
                <ItemFields row=row />
                <ArticlePicker page=page ticked=ticked gone=gone offered=offered q=q />
                {has_articles.then(|| view! {
                    <div class="row">
                        <div class="field">
                            <select name="action" aria-label=texts.action()>
                                {ReleaseAction::ALL.iter().copied().map(action).collect_view()}
                            </select>
                        </div>
                        <button class="button main" type="submit"><Icon name="plus" />{texts.add_button()}</button>
                    </div>
                })}
                <Alert refusal=refusal />
            </form>
        </section>
    }
}

/// Its name, and its deletion.
#[component]
fn Settings(row: ReleaseRow) -> impl IntoView {
    let texts = ReleaseTexts::here();
    let id = row.id.to_string();
    let result = result_of(RenameRelease::PATH, Some(&id));
    let name = result.as_ref().and_then(|result| result.typed("name").map(str::to_owned));
    let refusal = result.map(|result| result.refusal);
    let refusal = Signal::derive(move || refusal.clone());
    let delete = id.clone();
    view! {
        <section class="panel" aria-labelledby="settings">
            <header><h2 id="settings">{texts.settings()}</h2></header>
            <PlainForm function=RenameRelease::PATH about=id.clone() class="upload-form" fields=&["name"]>
                <input type="hidden" name="id" value=id />
                <input type="hidden" name="seen" value=row.version.0 />
                <Field
                    name="name" label=texts.name() hint=texts.name_hint() value=name.unwrap_or(row.name)
                    refusal=refusal
                />
                <button type="submit" class="button">{texts.rename()}</button>
            </PlainForm>
            <details class="open-in-place">
                <summary class="button small danger">{texts.delete()}</summary>
                <p>{texts.delete_hint()}</p>
                <PlainForm function=ActOnRelease::PATH>
                    <input type="hidden" name="id" value=delete />
                    <input type="hidden" name="seen" value=row.version.0 />
                    <button class="button danger" type="submit" name="what" value="delete">{texts.delete_confirm()}</button>
                </PlainForm>
            </details>
        </section>
    }
}
