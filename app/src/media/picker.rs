//! The media library as a dialog: its files are inserted into the text, become the cover, or fill another field.
//! The script of the pages does that, see `articles/editor/writing.js`.

use crate::media::{ACCEPT, library_page::Thumbnail, server_fns::list_media};
use crate::{
    server_fns::Refused,
    ui::{debounce::Debounce, icon::Icon},
};
use domain::{
    input_limits::MAX_SEARCH_CHARS,
    media::{MediaItem, MediaQuery},
};
use leptos::{html, prelude::*, task::spawn_local};
use texts::articles::media::MediaTexts;
use texts::{gap, language, layout::LayoutTexts, refusal::sentence};

/// Number of files that are loaded at once.
const PAGE_ITEMS: u32 = 24;
/// Delay of the search after the last key, in milliseconds.
const SEARCH_DELAY_MS: u64 = 250;

/// What a file is chosen for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PickerUse {
    /// It is inserted into the text.
    Text,
    /// It becomes the cover: only pictures.
    Cover,
    /// It fills the field with this id: only pictures.
    Field(&'static str),
}

impl PickerUse {
    /// Whether only pictures are offered.
    const fn is_picture(self) -> bool {
        !matches!(self, Self::Text)
    }
}

/// The files that were loaded, and the last response.
#[derive(Debug, Clone, Default, PartialEq)]
struct Found {
    items: Vec<MediaItem>,
    /// Cursor of the next ones; `None`: there are no more.
    next: Option<String>,
    is_loading: bool,
    /// Why the last request failed, and its cursor. The files before stay.
    failed: Option<(Refused, Option<String>)>,
}

/// The dialog. Cheap to copy.
#[derive(Clone, Copy)]
pub struct Picker {
    dialog: NodeRef<html::Dialog>,
    purpose: RwSignal<PickerUse>,
    search: RwSignal<String>,
    found: RwSignal<Found>,
    /// Counts requests: the response of an earlier one is ignored.
    requests: StoredValue<u32>,
}

impl Picker {
    /// A closed dialog, in the context of the page.
    pub fn provide() -> Self {
        let picker = Self {
            dialog: NodeRef::new(),
            purpose: RwSignal::new(PickerUse::Text),
            search: RwSignal::new(String::new()),
            found: RwSignal::new(Found::default()),
            requests: StoredValue::new(0),
        };
        provide_context(picker);
        picker
    }

    /// Opens it with the newest files.
    pub fn open(self, purpose: PickerUse) {
        self.purpose.set(purpose);
        self.search.set(String::new());
        self.found.set(Found::default());
        self.load(None);
        if let Some(dialog) = self.dialog.get_untracked() {
            _ = dialog.show_modal();
        }
    }

    /// Loads the first files that match, or the ones after `cursor`.
    fn load(self, cursor: Option<String>) {
        let request = self.requests.try_update_value(|count| {
            *count = count.wrapping_add(1);
            *count
        });
        self.found.update(|found| (found.is_loading, found.failed) = (true, None));
        let asked = cursor.clone();
        let query = MediaQuery {
            search: Some(self.search.get_untracked()).filter(|text| !text.trim().is_empty()),
            only_pictures: self.purpose.get_untracked().is_picture(),
            cursor,
            limit: Some(PAGE_ITEMS),
        };
        spawn_local(async move {
            let loaded = list_media(query).await;
            if self.requests.try_get_value() != request {
                return;
            }
            self.found.try_update(|found| {
                found.is_loading = false;
                match loaded {
                    Ok(list) => {
                        if asked.is_none() {
                            found.items.clear();
                        }
                        found.items.extend(list.page.items);
                        found.next = list.page.next_cursor;
                    }
                    Err(refusal) => found.failed = Some((refusal, asked)),
                }
            });
        });
    }
}

/// The dialog, closed at first. [`Picker::provide`] comes before it.
#[component]
pub fn MediaPicker() -> impl IntoView {
    let (texts, picker) = (MediaTexts::here(), expect_context::<Picker>());
    let delay = Debounce::new();
    let title = move || match picker.purpose.get() {
        PickerUse::Text => texts.pictures_and_files(),
        PickerUse::Cover => texts.choose_cover(),
        PickerUse::Field(_) => texts.choose_picture(),
    };
    let typed = move |event| {
        picker.search.set(event_target_value(&event));
        delay.schedule(SEARCH_DELAY_MS, move || picker.load(None));
    };
    view! {
        <dialog class="palette media-picker" aria-labelledby="picker-title" node_ref=picker.dialog>
            <header class="row">
                <h2 id="picker-title">{title}</h2>
                {move || (!picker.purpose.get().is_picture()).then(|| view! {
                    <label class="button">
                        <Icon name="plus" />
                        {texts.upload_files()}
                        <input type="file" class="visually-hidden" multiple=true data-upload="" accept=ACCEPT />
                    </label>
                })}
                <form method="dialog"><button type="submit" class="button">{LayoutTexts::here().close()}</button></form>
            </header>
            <input
                class="input"
                type="search"
                autocomplete="off"
                spellcheck="false"
                maxlength=MAX_SEARCH_CHARS
                autofocus=true
                aria-label=texts.find()
                placeholder=texts.find()
                prop:value=move || picker.search.get()
                on:input=typed
            />
            <Files picker=picker />
        </dialog>
    }
}

/// The files, or why there are none.
#[component]
fn Files(picker: Picker) -> impl IntoView {
    let texts = MediaTexts::here();
    let items = move || picker.found.with(|found| found.items.clone());
    let next = Memo::new(move |_| {
        picker.found.with(|found| match &found.failed {
            Some((_, cursor)) => Some((cursor.clone(), texts.again())),
            None => Some((Some(found.next.clone()?), texts.more())),
        })
    });
    let load = move |cursor: &Option<String>| {
        if !picker.found.with_untracked(|found| found.is_loading) {
            picker.load(cursor.clone());
        }
    };
    let state = move || {
        picker.found.with(|found| match &found.failed {
            Some((Refused(refusal), _)) => sentence(language(), refusal),
            None if found.is_loading && found.items.is_empty() => texts.loading().to_owned(),
            None if found.items.is_empty() => nothing(picker),
            None => texts.shown(found.items.len() as u64),
        })
    };
    view! {
        <p class="hint" role="status">{state}</p>
        <ul class="media-grid">
            <For each=items key=|item| item.id children=move |item| view! { <Choice item=item picker=picker /> } />
        </ul>
        {move || next.get().map(|(cursor, label)| view! {
            <button type="button" class="button" on:click=move |_| load(&cursor)>{label}</button>
        })}
    }
}

/// Why no file is shown.
fn nothing(picker: Picker) -> String {
    let texts = MediaTexts::here();
    let has_search = picker.search.with(|search| !search.trim().is_empty());
    match (has_search, picker.purpose.get()) {
        (true, _) => format!("{}{}{}", texts.none_found(), gap(), texts.none_found_hint()),
        (false, PickerUse::Cover | PickerUse::Field(_)) => texts.no_pictures().to_owned(),
        (false, PickerUse::Text) => format!("{}{}{}", texts.none(), gap(), texts.upload_first()),
    }
}

/// A file. The script inserts it when its button is pressed.
#[component]
fn Choice(item: MediaItem, picker: Picker) -> impl IntoView {
    let purpose = picker.purpose.get_untracked();
    let cover = purpose.is_picture().then(|| item.path());
    let markdown = (!purpose.is_picture()).then(|| item.markdown());
    let field = match purpose {
        PickerUse::Field(id) => Some(id),
        PickerUse::Text | PickerUse::Cover => None,
    };
    view! {
        <li>
            <button
                type="button"
                class="media-choice"
                data-markdown=markdown
                data-cover=cover
                data-field=field
                data-alt=item.alt.clone()
            >
                <Thumbnail item=item.clone() />
                <strong dir="auto">{item.name}</strong>
            </button>
        </li>
    }
}
