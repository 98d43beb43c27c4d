//! `/settings/words`: the word lists, their terms, and a test of a text. For admins.

use crate::{
    review::{
        hits::MarkedText,
        state::action_text,
        word_fns::{
            AddWordList, DeleteWordList, EditWordList, SetWordTerms, TestedText, WordListPage, WordListsPage,
            find_word_list, list_word_lists, test_text,
        },
        words_history::History,
    },
    session::visitor,
    ui::{
        async_view::AsyncView,
        empty::Empty,
        form::{
            PlainForm,
            choice::{Choice, error_of},
            field::Field,
            refusal_of,
            textarea::{Textarea, TextareaField},
            typed,
        },
        icon::Icon,
        page::{
            header::PageHeader,
            settings_menu::{AdminsOnly, SettingsMenu},
        },
        result::flash::Flash,
    },
};
use domain::review::{Action, ListLanguage, Verdict, WordListRow, workflow::Workflow};
use leptos::prelude::*;
use leptos_router::hooks::{use_params_map, use_query_map};
use server_fn::ServerFn;
use texts::review::words::WordTexts;

/// Parameter of the URL with the text to test.
const TEST: &str = "test";

/// All lists, the form for a new one, and the test.
#[component]
pub fn WordLists() -> impl IntoView {
    let texts = WordTexts::here();
    let body = if visitor().is_admin() {
        view! { <ForAdmins /> }.into_any()
    } else {
        view! { <AdminsOnly /> }.into_any()
    };
    view! {
        <PageHeader title=texts.title().to_owned() lead=texts.lead() />
        <SettingsMenu />
        <Flash messages=vec![("add", texts.added()), ("delete", texts.deleted())] />
        <div class="settings stack">{body}</div>
    }
}

#[component]
fn ForAdmins() -> impl IntoView {
    let read = Resource::new(|| (), |()| list_word_lists());
    let query = use_query_map();
    let typed = query.with_untracked(|query| query.get(TEST)).unwrap_or_default();
    let asked = typed.clone();
    let tested = Resource::new(move || asked.clone(), test_text);
    view! {
        <AsyncView from=read let:page>
            {move || view! { <Lists page=page.get() /> }}
        </AsyncView>
        <TestForm text=typed />
        <AsyncView from=tested let:tested>
            {move || tested.get().map(|tested| view! { <TestResult tested=tested /> })}
        </AsyncView>
        <AddForm />
    }
}

#[component]
fn Lists(page: WordListsPage) -> impl IntoView {
    let texts = WordTexts::here();
    let off = (page.workflow == Workflow::None).then(|| {
        view! { <p class="notice">{texts.off()} " " <a href="/settings/review">{texts.off_link()}</a></p> }
    });
    if page.lists.is_empty() {
        return view! { {off} <Empty title=texts.none() hint=texts.none_hint() /> }.into_any();
    }
    let rows = page.lists.into_iter().map(|row| view! { <Row row=row /> }).collect_view();
    view! { {off} <ul class="word-lists">{rows}</ul> }.into_any()
}

#[component]
fn Row(row: WordListRow) -> impl IntoView {
    let texts = WordTexts::here();
    let count = if row.terms == 1 { texts.count_one().to_owned() } else { texts.count(row.terms) };
    let page = format!("/settings/words/{}", row.id);
    let name = row.settings.name;
    view! {
        <li>
            <span>
                <a href=page.clone() dir="auto">{name.clone()}</a> " "
                <span class="muted">{action_text(row.settings.action)}" · "{count}</span>
            </span>
            <a class="button small" href=page aria-label=texts.of(texts.edit(), name)>{texts.edit()}</a>
        </li>
    }
}

#[component]
fn TestForm(text: String) -> impl IntoView {
    let texts = WordTexts::here();
    view! {
        <section class="panel" aria-labelledby="test-heading">
            <header><h2 id="test-heading">{texts.test_title()}</h2></header>
            <form method="get" action="/settings/words" class="stack">
                <div class="field">
                    <label for=TEST>{texts.text()}</label>
                    <Textarea name=TEST value=text rows=4 />
                    <span class="hint">{texts.test_hint()}</span>
                </div>
                <p><button class="button" type="submit">{texts.test()}</button></p>
            </form>
        </section>
    }
}

#[component]
fn TestResult(tested: TestedText) -> impl IntoView {
    let texts = WordTexts::here();
    let TestedText { text, found } = tested;
    let verdict = match found.verdict {
        Verdict::Clean => texts.clean(),
        Verdict::Flag => texts.verdict_flag(),
        Verdict::NeedsApproval => texts.verdict_approval(),
        Verdict::Block => texts.verdict_block(),
    };
    view! {
        <section class="panel" aria-labelledby="result-heading" id="result">
            <header><h2 id="result-heading">{texts.result()}</h2></header>
            <p role="status">{verdict}</p>
            <MarkedText text=text hits=found.hits />
            {found.replaced.map(|text| view! {
                <h3>{texts.replaced()}</h3>
                <p class="marked-text" dir="auto">{text}</p>
            })}
        </section>
    }
}

/// Name, language and action of a list.
#[component]
fn SettingsFields(path: &'static str, name: String, language: ListLanguage, action: Action) -> impl IntoView {
    let texts = WordTexts::here();
    let refusal = Signal::stored(refusal_of(path));
    let languages = [
        (ListLanguage::Any, texts.any()),
        (ListLanguage::En, texts.english()),
        (ListLanguage::Zh, texts.chinese()),
    ];
    let languages = languages.map(|(one, text)| (one.to_string(), text.to_owned()));
    let actions = [Action::Block, Action::NeedsApproval, Action::Flag, Action::Replace];
    let actions = actions.map(|one| (one.to_string(), action_text(one).to_owned()));
    view! {
        <Field name="name" label=texts.name() value=typed(path, "name").unwrap_or(name) refusal=refusal />
        <Choice
            name="language" label=texts.language() options=languages.to_vec()
            chosen=typed(path, "language").unwrap_or_else(|| language.to_string())
        />
        <Choice
            name="action" label=texts.action() options=actions.to_vec()
            chosen=typed(path, "action").unwrap_or_else(|| action.to_string())
        />
    }
}

/// The terms, one a line.
#[component]
fn TermsField(path: &'static str, terms: String, rows: u32) -> impl IntoView {
    let texts = WordTexts::here();
    let problem = error_of(refusal_of(path).as_ref(), "terms");
    view! {
        <TextareaField
            name="terms" label=texts.terms() hint=texts.terms_hint() value=typed(path, "terms").unwrap_or(terms) rows=rows
            class="word-terms" problem=problem
        />
    }
}

#[component]
fn AddForm() -> impl IntoView {
    let texts = WordTexts::here();
    let path = AddWordList::PATH;
    view! {
        <section class="panel" aria-labelledby="add">
            <header><h2 id="add">{texts.add_title()}</h2></header>
            <PlainForm function=path fields={&["name", "terms"]} class="stack">
                <SettingsFields path=path name=String::new() language=ListLanguage::Any action=Action::Block />
                <TermsField path=path terms=String::new() rows=6 />
                <p><button class="button main" type="submit">{texts.add()}</button></p>
            </PlainForm>
        </section>
    }
}

/// `/settings/words/{id}`: one list.
#[component]
pub fn WordListView() -> impl IntoView {
    let texts = WordTexts::here();
    if !visitor().is_admin() {
        return view! { <PageHeader title=texts.title().to_owned() /> <SettingsMenu /> <AdminsOnly /> }
            .into_any();
    }
    let id = use_params_map().with_untracked(|params| params.get("id")).unwrap_or_default();
    let read = Resource::new(move || id.clone(), find_word_list);
    view! {
        <AsyncView from=read let:list>
            <OneList list=list.get_untracked() />
        </AsyncView>
    }
    .into_any()
}

#[component]
fn OneList(list: WordListPage) -> impl IntoView {
    let texts = WordTexts::here();
    let WordListPage { row, terms, history } = list;
    let (seen, settings) = (row.version.0, row.settings);
    let [edited, filled, deleted] = [row.id; 3].map(|id| id.to_string());
    view! {
        <PageHeader title=texts.edit_title(settings.name.clone()) />
        <SettingsMenu />
        <Flash messages=vec![("save", texts.saved()), ("restore", texts.restored())] />
        <div class="settings stack">
            <p><a href="/settings/words"><Icon name="left" />{texts.back()}</a></p>
            <PlainForm function=EditWordList::PATH fields={&["name"]} class="stack">
                <input type="hidden" name="id" value=edited />
                <input type="hidden" name="seen" value=seen />
                <SettingsFields
                    path=EditWordList::PATH name=settings.name language=settings.language action=settings.action
                />
                <p><button class="button main" type="submit">{texts.save()}</button></p>
            </PlainForm>
            <PlainForm function=SetWordTerms::PATH fields={&["terms"]} class="stack">
                <input type="hidden" name="id" value=filled />
                <input type="hidden" name="seen" value=seen />
                <TermsField path=SetWordTerms::PATH terms=terms rows=20 />
                <p class="hint">{texts.export()}</p>
                <p><button class="button main" type="submit">{texts.save()}</button></p>
            </PlainForm>
            <History id=row.id seen=seen history=history />
            <details class="open-in-place">
                <summary class="button">{texts.delete_title()}</summary>
                <PlainForm function=DeleteWordList::PATH>
                    <input type="hidden" name="id" value=deleted />
                    <input type="hidden" name="seen" value=seen />
                    <p>{texts.delete_hint()}</p>
                    <p><button class="button danger" type="submit">{texts.delete()}</button></p>
                </PlainForm>
            </details>
        </div>
    }
}
