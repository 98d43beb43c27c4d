//! The first steps on a new desk: each is ticked off once the desk has what it is about.

use crate::{
    dashboard::server_fns::{CloseFirstWeek, PublishFirst},
    ui::{
        form::{Form, PlainForm, field::Field, refusal_of, textarea::Textarea, typed},
        icon::Icon,
        table::address::ListAddress,
    },
};
use domain::accounts::first_week::{FirstStep, FirstWeek};
use leptos::prelude::*;
use server_fn::ServerFn;
use texts::{dashboard::DashboardTexts, number::counted};

/// Whether the user has not written anything on a new desk.
#[must_use]
pub fn asks_for_article(week: Option<&FirstWeek>) -> bool {
    week.is_some_and(|week| !week.is_over && !week.done.contains(&FirstStep::Write))
}

/// The form of the first article, which goes out while the user looks on.
#[component]
pub fn FirstArticle() -> impl IntoView {
    let (texts, path) = (DashboardTexts::here(), PublishFirst::PATH);
    let refusal = Signal::stored(refusal_of(path));
    let again = move |field: &str| typed(path, field).unwrap_or_default();
    view! {
        <section class="panel first-article" aria-labelledby="first-article">
            <header><h2 id="first-article">{texts.first_article()}</h2></header>
            <p class="hint">{texts.first_article_hint()}</p>
            <PlainForm function=path class="stack" fields=&["title"]>
                <Field name="title" label=texts.article_title() value=again("title") refusal=refusal />
                <div class="field">
                    <label for="body">{texts.article_text()}</label>
                    <Textarea name="body" value=again("body") rows=4 />
                </div>
                <p class="row">
                    <button class="button main" type="submit">{texts.publish_soon()}</button>
                    <a class="button bare" href="/articles/new">{texts.in_editor()}</a>
                    <a class="button bare" href="/settings/import">{texts.bring_blog()}</a>
                </p>
            </PlainForm>
        </section>
    }
}

/// Shows the steps as long as the desk is new, and at `/?steps=first`, to which help leads.
#[component]
pub fn FirstSteps(
    /// How far the user is; `None`: the user is no admin.
    week: Memo<Option<FirstWeek>>,
) -> impl IntoView {
    let address = ListAddress::here();
    let is_asked_for = Memo::new(move |_| address.with(|address| address.is("steps", "first")));
    let action = ServerAction::<CloseFirstWeek>::new();
    move || {
        let week = week.get().filter(|week| !week.is_over || is_asked_for.get())?;
        let texts = DashboardTexts::here();
        let close = (!week.is_over).then(|| {
            view! {
                <Form action=action class="inline">
                    <button class="button small" type="submit">{texts.close_first_week()}</button>
                </Form>
            }
        });
        let (done, all) = (week.done.len() as u64, FirstStep::ALL.len() as u64);
        let site = week.done.contains(&FirstStep::Write).then(|| {
            view! {
                <p><a href="/site" rel="external">{texts.see_site()}</a>" "<span class="muted">{texts.site_hint()}</span></p>
            }
        });
        let steps = FirstStep::ALL.iter().map(|step| row(texts, *step, week.done.contains(step)));
        Some(view! {
            <section class="panel first-week" aria-labelledby="first-week">
                <header>
                    <h2 id="first-week">{texts.first_week()}</h2>
                    <span class="muted">{texts.steps_done(counted(done), counted(all))}</span>
                    {close}
                </header>
                <ul class="first-steps">{steps.collect_view()}</ul>
                {site}
            </section>
        })
    }
}

fn row(texts: DashboardTexts, step: FirstStep, is_done: bool) -> impl IntoView {
    let (href, name, hint) = match step {
        FirstStep::Write => ("/articles/new", texts.write_something(), texts.write_something_hint()),
        FirstStep::Invite => ("/settings/people", texts.invite_people(), texts.invite_people_hint()),
        FirstStep::Mail => ("/settings/mail", texts.connect_mail(), texts.connect_mail_hint()),
        FirstStep::Slots => ("/settings/slots", texts.set_slots(), texts.set_slots_hint()),
        FirstStep::Look => ("/settings/site", texts.look_of_site(), texts.look_of_site_hint()),
        FirstStep::Import => ("/settings/import", texts.bring_blog(), texts.bring_blog_hint()),
        FirstStep::Passkey => ("/settings/profile#passkeys", texts.add_passkey(), texts.add_passkey_hint()),
    };
    let mark = is_done.then(|| {
        view! { <Icon name="check" /><span class="visually-hidden">{texts.step_done()}</span> }
    });
    view! {
        <li class:done=is_done data-step=step.as_str()>
            <span class="tick">{mark}</span>
            <a href=href>{name}</a>
            <span class="muted">{hint}</span>
        </li>
    }
}
