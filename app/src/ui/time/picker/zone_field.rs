//! The field for the time zone: searches cities in all languages.

#![expect(
    clippy::disallowed_methods,
    reason = "the one noscript: the names of cities in it are escaped here"
)]

use super::{TimeInput, bind_field, outer_form, time_input::zone_as_typed};
use crate::{session::visitor, ui::html::escape};
use domain::base::city::City;
use leptos::{ev, prelude::*};
use texts::{Language, articles::schedule::ScheduleTexts, language, picker::TimeFieldTexts, time::place};

/// Maximum number of cities shown.
const MAX_CITIES: usize = 8;
/// Id of the list of cities without JavaScript.
const LIST: &str = "cities";

/// State of the list below the field. Cheap to copy.
#[derive(Clone, Copy)]
struct CitySearch {
    input: TimeInput,
    is_open: RwSignal<bool>,
    /// Whether something was typed since the list was opened.
    is_typed: RwSignal<bool>,
    active: RwSignal<Option<usize>>,
    cities: Memo<Vec<City>>,
}

impl CitySearch {
    fn new(input: TimeInput) -> Self {
        let (is_open, is_typed) = (RwSignal::new(false), RwSignal::new(false));
        let own = own_zones();
        let cities = Memo::new(move |_| match (is_open.get(), is_typed.get()) {
            (false, _) => Vec::new(),
            (true, true) => input.zone.with(|zone| City::search(zone, MAX_CITIES)),
            (true, false) => own.iter().filter_map(|zone| City::of_zone(zone)).collect(),
        });
        Self { input, is_open, is_typed, active: RwSignal::new(None), cities }
    }

    fn open(self, is_typed: bool) {
        self.is_typed.set(is_typed);
        self.active.set(None);
        self.is_open.set(true);
    }

    fn choose(self, city: City) {
        self.input.set_zone(zone_as_typed(city.zone));
        self.is_open.set(false);
    }

    /// Moves the mark by one, around the ends.
    fn step(self, is_down: bool) {
        let count = self.cities.with_untracked(Vec::len);
        if !self.is_open.get_untracked() {
            self.open(false);
        } else if count > 0 {
            let next = match (self.active.get_untracked(), is_down) {
                (None, true) => 0,
                (None, false) => count - 1,
                (Some(at), true) => (at + 1) % count,
                (Some(at), false) => (at + count - 1) % count,
            };
            self.active.set(Some(next));
        }
    }

    /// The marked city; the first one if none is marked and the text is not a city itself.
    fn chosen(self) -> Option<City> {
        let marked = self.active.get_untracked();
        let is_city = self.input.zone.with_untracked(|zone| City::named(zone).is_some());
        let at = marked.or_else(|| (self.is_typed.get_untracked() && !is_city).then_some(0))?;
        self.cities.with_untracked(|cities| cities.get(at).copied())
    }

    fn on_key(self, event: &ev::KeyboardEvent) {
        let is_open = self.is_open.get_untracked();
        match event.key().as_str() {
            "ArrowDown" | "ArrowUp" => self.step(event.key() == "ArrowDown"),
            "Enter" if is_open => {
                let Some(city) = self.chosen() else { return };
                self.choose(city);
            }
            "Escape" if is_open => self.is_open.set(false),
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
    }

    /// Closes the list. A city is shown by its name, whatever it was typed as. Does nothing once the
    /// form is gone: a browser sends `blur` when it removes a focused field.
    fn leave(self) {
        if self.is_open.is_disposed() || self.input.zone.is_disposed() {
            return;
        }
        let only = self.cities.with_untracked(|cities| match cities[..] {
            [only] if self.is_typed.get_untracked() => Some(only),
            _ => None,
        });
        let named = self.input.zone.with_untracked(|zone| City::named(zone)).or(only);
        self.is_open.set(false);
        if let Some(city) = named {
            self.input.set_zone(place(self.input.language, city.zone));
        }
    }
}

/// The user's zone and the desk's.
fn own_zones() -> Vec<String> {
    let visitor = visitor();
    let (mine, desk) = (visitor.zone().to_owned(), visitor.desk.zone);
    if mine == desk { vec![mine] } else { vec![mine, desk] }
}

/// The field, and buttons for the user's zone and the desk's.
#[component]
pub fn ZoneChip(
    /// The input.
    input: TimeInput,
    /// Prefix of the ids.
    name: String,
) -> impl IntoView {
    let search = CitySearch::new(input);
    let (id, list) = (format!("{name}-zone"), format!("{name}-cities"));
    let field = bind_field(input.zone, move |zone| input.set_zone(zone));
    let active = {
        let list = list.clone();
        move || search.active.get().map(|at| format!("{list}-{at}"))
    };
    let is_shown = Memo::new(move |_| search.cities.with(|cities| !cities.is_empty()));
    let zone = input.zone.get_untracked();
    // Without JavaScript the browser suggests cities; a field with `list` must not have the role.
    let has_script = RwSignal::new(false);
    Effect::new(move |_| has_script.set(true));
    let outer = outer_form();
    view! {
        <span class="time-part zone-chip">
            <label class="visually-hidden" for=id.clone()>{ScheduleTexts::here().zone()}</label>
            <input
                id=id
                form=move || outer.get().map(|outer| outer.form)
                name="zone"
                type="text"
                list=move || (!has_script.get()).then_some(LIST)
                required
                maxlength="64"
                role=move || has_script.get().then_some("combobox")
                aria-autocomplete=move || has_script.get().then_some("list")
                aria-expanded=move || has_script.get().then(|| is_shown.get().to_string())
                aria-controls={
                    let list = list.clone();
                    move || has_script.get().then(|| list.clone())
                }
                aria-activedescendant=active
                aria-describedby=format!("{name}-feedback")
                autocomplete="off"
                autocapitalize="off"
                spellcheck="false"
                value=zone
                node_ref=field
                on:input:target=move |event| {
                    input.set_zone(event.target().value());
                    search.open(true);
                }
                on:focus:target=move |event| event.target().select()
                on:click=move |_| search.open(false)
                on:keydown=move |event| search.on_key(&event)
                on:blur=move |_| search.leave()
            />
            {move || is_shown.get().then(|| view! { <Cities search=search id=list.clone() /> })}
        </span>
        <OwnZones input=input />
    }
}

#[component]
fn Cities(search: CitySearch, id: String) -> impl IntoView {
    let language = language();
    let option = move |at: usize, city: City, id: String| {
        let other = if language == Language::En { Language::Zh } else { Language::En };
        let name = place(language, city.zone);
        // Where two languages call it the same, one name is enough.
        let second = Some(place(other, city.zone)).filter(|second| *second != name);
        view! {
            <li
                id=format!("{id}-{at}")
                role="option"
                class="zone-option"
                aria-selected=move || (search.active.get() == Some(at)).to_string()
                on:mousedown=move |event| {
                    // The field keeps the focus.
                    event.prevent_default();
                    search.choose(city);
                }
            >
                {name} {second.map(|second| view! { " " <small lang=other.as_str()>{second}</small> })}
            </li>
        }
    };
    let list = id.clone();
    view! {
        <ul class="zone-options" role="listbox" id=list aria-label=TimeFieldTexts::here().cities()>
            {move || {
                let cities = search.cities.get().into_iter().enumerate();
                cities.map(|(at, city)| option(at, city, id.clone())).collect_view()
            }}
        </ul>
    }
}

/// One button each for the user's zone and the desk's, unless it is chosen.
#[component]
fn OwnZones(input: TimeInput) -> impl IntoView {
    let texts = TimeFieldTexts::here();
    let chosen = input.zone_name();
    let names = own_zones();
    let buttons = names.into_iter().enumerate().map(|(at, zone)| {
        let city = place(language(), &zone);
        let label = if at == 1 { texts.desk_zone(&city) } else { texts.my_zone(&city) };
        let canonical = City::of_zone(&zone).map(|city| city.zone);
        let is_chosen = Memo::new(move |_| chosen.get().is_some() && chosen.get() == canonical);
        let typed = zone_as_typed(&zone);
        view! {
            <button
                type="button"
                class="chip needs-js"
                class:is-hidden=move || is_chosen.get()
                on:click=move |_| input.set_zone(typed.clone())
            >
                {label}
            </button>
        }
    });
    view! { <span class="own-zones">{buttons.collect_view()}</span> }
}

/// Suggestions of the fields without JavaScript. Once per page.
#[component]
pub fn CityList() -> impl IntoView {
    view! { <noscript inner_html=city_list()></noscript> }
}

/// The browser needs no options: it keeps what the server rendered.
fn city_list() -> String {
    if cfg!(not(feature = "ssr")) {
        return String::new();
    }
    let language = language();
    let option = |city: City| format!("<option value=\"{}\"></option>", escape(&place(language, city.zone)));
    format!("<datalist id=\"{LIST}\">{}</datalist>", City::all().map(option).collect::<String>())
}
