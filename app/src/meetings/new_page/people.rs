//! The people of the desk, each with what the person has at the time of the meeting.

use crate::meetings::room_fns::{Checked, PersonChoice};
use domain::accounts::group::Group;
use leptos::{html, prelude::*};
use texts::meetings::{MeetingFormTexts, span::clocks};

/// Name of the boxes.
pub const PEOPLE: &str = "meeting[people][]";
/// Name of the buttons that tick the members of a group.
pub const GROUP: &str = "group";

/// A box for each person. Whether they are free follows the time.
#[component]
pub fn PeopleChoice(
    /// What is free at the chosen time.
    checked: RwSignal<Option<Checked>>,
    /// Ids of those that are ticked at first.
    chosen: Vec<String>,
    /// Groups whose members can be ticked at once.
    groups: Vec<Group>,
) -> impl IntoView {
    let texts = MeetingFormTexts::here();
    let people = Memo::new(move |last: Option<&Vec<PersonChoice>>| {
        checked.with(|checked| match checked {
            Some(Checked::Known(known)) => known.people.clone(),
            // A time that cannot be read keeps the list, and what is ticked in it.
            _ => last.cloned().unwrap_or_default(),
        })
    });
    let names = Memo::new(move |_| {
        people.with(|people| people.iter().map(|one| (one.id.clone(), one.name.clone())).collect::<Vec<_>>())
    });
    let is_any = Memo::new(move |_| names.with(|names| !names.is_empty()));
    let (chosen, groups) = (StoredValue::new(chosen), StoredValue::new(groups));
    let added = RwSignal::new(Vec::<String>::new());
    move || {
        is_any.get().then(|| {
            view! {
                <fieldset class="field">
                    <legend class="label">{texts.optional(texts.people())}</legend>
                    <div class="weekday-choices meeting-people">
                        <For each=move || names.get() key=|(id, _)| id.clone() children=move |(id, name)| {
                            let is_on = chosen.with_value(|chosen| chosen.contains(&id));
                            view! { <Person id=id name=name is_on=is_on people=people added=added /> }
                        } />
                    </div>
                    <GroupButtons groups=groups.get_value() added=added />
                </fieldset>
            }
        })
    }
}

/// A button for each group, which ticks its members. Without JavaScript it loads the page again, with the
/// input.
#[component]
fn GroupButtons(groups: Vec<Group>, added: RwSignal<Vec<String>>) -> impl IntoView {
    let texts = MeetingFormTexts::here();
    if groups.iter().all(|group| group.members.is_empty()) {
        return ().into_any();
    }
    let buttons = groups.into_iter().filter(|group| !group.members.is_empty()).map(|group| {
        let members = member_ids(&group);
        let add = move |event: leptos::ev::MouseEvent| {
            event.prevent_default();
            added.set(members.clone());
        };
        view! {
            <button
                class="button small" type="submit" name=GROUP value=group.id.to_string() formmethod="get"
                formaction="/meetings/new" formnovalidate on:click=add
            >
                <span dir="auto">{texts.add_group(&group.name)}</span>
            </button>
            " "
        }
    });
    view! {
        <p class="row">{buttons.collect_view()}</p>
        <p class="hint">{texts.group_hint()}</p>
    }
    .into_any()
}

/// Ids of the accounts that a group has now.
#[must_use]
pub fn member_ids(group: &Group) -> Vec<String> {
    group.members.iter().map(|member| member.id.to_string()).collect()
}

#[component]
fn Person(
    id: String,
    name: String,
    is_on: bool,
    people: Memo<Vec<PersonChoice>>,
    /// Ids of the members of the group that was chosen last.
    added: RwSignal<Vec<String>>,
) -> impl IntoView {
    let texts = MeetingFormTexts::here();
    let (value, own) = (id.clone(), id.clone());
    let field = NodeRef::<html::Input>::new();
    Effect::new(move |_| {
        if added.with(|added| added.contains(&own))
            && let Some(field) = field.get_untracked()
        {
            field.set_checked(true);
        }
    });
    let state = move || {
        people.with(|people| {
            let one = people.iter().find(|one| one.id == id)?;
            Some(match one.busy {
                Some((starts, ends)) => texts.is_busy_then(clocks(starts, ends)),
                None => texts.is_free_then().to_owned(),
            })
        })
    };
    view! {
        <label class="choice">
            <input type="checkbox" name=PEOPLE value=value checked=is_on node_ref=field />
            <span dir="auto">{name}</span>
            <span class="muted">{state}</span>
        </label>
    }
}
