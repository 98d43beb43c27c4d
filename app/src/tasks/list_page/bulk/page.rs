//! `/bulk`: the preview of a change of many, with the button that makes it.

use super::{
    BulkList,
    bulk_fns::{BulkFields, BulkPreview, RunBulk, preview_bulk},
    slot_change::{SlotChange, SlotPreview},
};
use crate::tasks::list_page::bulk::bulk_texts::BulkTexts;
use crate::ui::{
    async_view::AsyncView, form::PlainForm, page::header::PageHeader, time::date_time::DateTime,
};
use domain::{
    DomainError,
    articles::bulk::NO_TASK,
    bulk_change::{BulkItem, BulkMove, BulkRefusal, MAX_LISTED},
};
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;
use server_fn::ServerFn;
use texts::{language, number::grouped, refusal::sentence};

/// The page.
#[component]
pub fn BulkPage() -> impl IntoView {
    let texts = BulkTexts::here();
    let fields = fields_of_url();
    let asked = fields.clone();
    let read = Resource::new(|| (), move |()| preview_bulk(asked.clone()));
    let list = BulkList::of(&fields.list);
    let title = match fields.of_slots() {
        Some(SlotChange::CloseGap) => texts.close_gap(),
        Some(SlotChange::MakeRoom | SlotChange::Insert) => texts.make_room(),
        None => list.title_of(texts),
    };
    let (back, label) = match fields.of_slots() {
        Some(SlotChange::CloseGap) => ("/calendar", texts.keep_gap()),
        Some(_) => ("/calendar", texts.keep()),
        None => (list.path(), list.back_to(texts)),
    };
    view! {
        <PageHeader title=title.to_owned() />
        <AsyncView from=read children=move |preview| view! { <div class="stack"><Preview preview=preview fields=fields.clone() /></div> } />
        <p><a href=back>{label}</a></p>
    }
}

/// What the URL asks for. Each selected task is a parameter `ids`.
fn fields_of_url() -> BulkFields {
    use_query_map().with_untracked(|query| {
        let value = |name: &str| query.get(name).unwrap_or_default();
        BulkFields {
            ids: query.get_all("ids").unwrap_or_default().join(","),
            all: value("all"),
            state: value("state"),
            q: value("q"),
            tag: value("tag"),
            mine: value("mine"),
            past: value("past"),
            series: value("series"),
            list: value("list"),
            change: value("change"),
            amount: value("amount"),
            unit: value("unit"),
            day: value("day"),
            at: value("at"),
            article: value("article"),
            to: value("to"),
            seen: String::new(),
        }
    })
}

#[component]
fn Preview(preview: Signal<BulkPreview>, fields: BulkFields) -> impl IntoView {
    let texts = BulkTexts::here();
    let BulkPreview { outcome, refused, slot, seen } = preview.get_untracked();
    let (of, list, is_approval) = (fields.of(), BulkList::of(&fields.list), !seen.is_empty());
    let fields = BulkFields { seen, ..fields };
    let (changed, of_slots) = (outcome.changed, fields.of_slots());
    let summary = match of_slots {
        Some(change) => change.moves(texts, changed),
        None => list.summary_of(texts, changed, outcome.matched),
    };
    let can_confirm = changed > 0 || of_slots == Some(SlotChange::Insert);
    let meaning = list.meaning(texts, &fields.change, &fields.to).filter(|_| changed > 0);
    let has_reason = of == BulkList::Meetings && matches!(fields.change.as_str(), "cancel" | "reject");
    let reason = (has_reason && !fields.to.is_empty()).then(|| texts.with_reason(&fields.to));
    let listed = outcome.moves.len().max(outcome.items.len());
    let is_cut = listed == MAX_LISTED && changed > MAX_LISTED as u64;
    view! {
        {slot.map(|slot| view! { <ChosenSlot chosen=slot /> })}
        <p class="lead">{summary}</p>
        {meaning.map(|meaning| view! { <p dir="auto">{meaning}</p> })}
        {reason.map(|reason| view! { <p dir="auto">{reason}</p> })}
        {(outcome.conflicts > 0).then(|| view! { <p class="notice warn">{texts.conflicts(outcome.conflicts)}</p> })}
        {(is_approval && can_confirm).then(|| view! { <p class="notice warn">{texts.no_undo()}</p> })}
        {can_confirm.then(|| view! { <Confirm fields=fields count=changed /> })}
        {(!outcome.moves.is_empty()).then(|| view! { <Moves moves=outcome.moves of=of noun=list.noun(texts) /> })}
        {(!outcome.items.is_empty()).then(|| view! { <Items items=outcome.items of=of /> })}
        {is_cut.then(|| view! { <p class="hint">{texts.first_only(MAX_LISTED)}</p> })}
        {(refused > 0).then(|| view! { <Refused refused=outcome.refused count=refused of=of /> })}
    }
}

/// The slot, and the article that takes it.
#[component]
fn ChosenSlot(chosen: SlotPreview) -> impl IntoView {
    let texts = BulkTexts::here();
    view! {
        {chosen.article.map(|title| view! { <h2 dir="auto">{texts.insert(title)}</h2> })}
        <p>{texts.slot()} " " <DateTime at=chosen.at is_full=true /></p>
    }
}

/// The button, with everything that was asked for.
#[component]
fn Confirm(fields: BulkFields, count: u64) -> impl IntoView {
    let texts = BulkTexts::here();
    let label = match fields.of_slots() {
        Some(SlotChange::CloseGap) => texts.move_earlier().to_owned(),
        Some(SlotChange::MakeRoom) => texts.move_later().to_owned(),
        Some(SlotChange::Insert) => texts.insert_here().to_owned(),
        None => BulkList::of(&fields.list).confirm_of(texts, count),
    };
    let fields = [
        ("ids", fields.ids),
        ("all", fields.all),
        ("state", fields.state),
        ("q", fields.q),
        ("tag", fields.tag),
        ("mine", fields.mine),
        ("past", fields.past),
        ("series", fields.series),
        ("list", fields.list),
        ("change", fields.change),
        ("amount", fields.amount),
        ("unit", fields.unit),
        ("day", fields.day),
        ("at", fields.at),
        ("article", fields.article),
        ("to", fields.to),
        ("seen", fields.seen),
    ];
    let inputs =
        fields.into_iter().map(|(name, value)| view! { <input type="hidden" name=name value=value /> });
    view! {
        <PlainForm function=RunBulk::PATH>
            {inputs.collect_view()}
            <p class="row"><button type="submit" class="button main">{label}</button></p>
        </PlainForm>
    }
}

/// Who moves where.
#[component]
fn Moves(moves: Vec<BulkMove>, of: BulkList, noun: &'static str) -> impl IntoView {
    let texts = BulkTexts::here();
    let rows = moves.into_iter().map(|one| {
        view! {
            <tr class="list-row">
                <th scope="row" class="main">
                    <a class="title" dir="auto" href=of.page_of(one.id)>{one.title}</a>
                    {one.is_conflict.then(|| view! { <p class="meta">{texts.conflict()}</p> })}
                </th>
                <td class="when"><DateTime at=one.from /></td>
                <td class="when"><DateTime at=one.to /></td>
            </tr>
        }
    });
    view! {
        <table class="list-table">
            <thead>
                <tr>
                    <th scope="col">{noun}</th>
                    <th scope="col" class="when">{texts.from()}</th>
                    <th scope="col" class="when">{texts.to()}</th>
                </tr>
            </thead>
            <tbody>{rows.collect_view()}</tbody>
        </table>
    }
}

/// Who is changed without being moved.
#[component]
fn Items(items: Vec<BulkItem>, of: BulkList) -> impl IntoView {
    let items = items.into_iter().map(|one| {
        let at = one.at.map(|at| view! { " "<span class="muted"><DateTime at=at /></span> });
        view! { <li><a dir="auto" href=of.page_of(one.id)>{one.title}</a>{at}</li> }
    });
    view! {
        <section class="panel">
            <header><h2>{BulkTexts::here().will_change()}</h2></header>
            <ul class="bulk-items">{items.collect_view()}</ul>
        </section>
    }
}

/// The page of what stays as it is: that of the article if it has no task.
fn page_of(refused: &BulkRefusal, of: BulkList) -> String {
    let is_article = matches!(&refused.why, DomainError::NoSuch { what } if what == NO_TASK);
    if is_article { BulkList::Articles.page_of(refused.id) } else { of.page_of(refused.id) }
}

/// The pages and titles of those with the same reason, in the order of the first of each.
fn by_reason(refused: Vec<BulkRefusal>, of: BulkList) -> Vec<(String, Vec<(String, String)>)> {
    let mut groups: Vec<(String, Vec<(String, String)>)> = Vec::new();
    for one in refused {
        let why = sentence(language(), &one.why);
        let at = groups.iter().position(|(known, _)| *known == why).unwrap_or_else(|| {
            groups.push((why, Vec::new()));
            groups.len() - 1
        });
        groups[at].1.push((page_of(&one, of), one.title));
    }
    groups
}

/// Those that stay as they are, by reason.
#[component]
fn Refused(refused: Vec<BulkRefusal>, count: usize, of: BulkList) -> impl IntoView {
    let texts = BulkTexts::here();
    let is_cut = refused.len() < count;
    let groups = by_reason(refused, of).into_iter().map(|(why, tasks)| {
        let items = tasks.into_iter().map(|(href, title)| {
            let title = if title.is_empty() { texts.deleted().to_owned() } else { title };
            view! { <li><a dir="auto" href=href>{title}</a></li> }
        });
        let count = grouped(items.len() as u64);
        view! {
            <details class="bulk-refused">
                <summary>{why}" "<span class="muted">{texts.tasks(count)}</span></summary>
                <ul>{items.collect_view()}</ul>
            </details>
        }
    });
    view! {
        <section class="panel">
            <header><h2>{texts.stay(count)}</h2></header>
            {groups.collect_view()}
            {is_cut.then(|| view! { <p class="hint">{texts.first_only(MAX_LISTED)}</p> })}
        </section>
    }
}
