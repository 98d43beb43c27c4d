//! The secret link of a room's door page: created, shown once and revoked.

use crate::{
    meetings::room_fns::{CreateDoor, RevokeDoor, new_door},
    ui::{
        copy_button::CopyButton,
        form::{PlainForm, result_of},
    },
};
use leptos::prelude::*;
use server_fn::ServerFn;
use texts::meetings::rooms::RoomSettingsTexts;

/// The link that was just created.
#[component]
pub fn NewDoorNotice() -> impl IntoView {
    let texts = RoomSettingsTexts::here();
    let created = Resource::new(|| (), |()| new_door());
    view! {
        <Suspense>
            {move || Suspend::new(async move {
                let url = created.await.ok().flatten()?;
                let copied = url.clone();
                Some(view! {
                    <section class="notice good new-secret" role="status">
                        <p>{texts.door_ready()}</p>
                        <p class="row"><code class="secret" tabindex="0">{url}</code> <CopyButton text=copied /></p>
                    </section>
                })
            })}
        </Suspense>
    }
}

/// Creates and revokes the link of a room.
#[component]
pub fn DoorForm(
    /// Id of the room.
    id: String,
) -> impl IntoView {
    let texts = RoomSettingsTexts::here();
    let is_refused = result_of(CreateDoor::PATH, Some(&id)).is_some();
    let (name, revoked) = (format!("pin-{id}"), id.clone());
    view! {
        <section class="stack" aria-label=texts.door()>
            <h2>{texts.door()}</h2>
            <p class="hint">{texts.door_hint()}</p>
            <PlainForm function=CreateDoor::PATH about=id.clone() fields={&["pin"]} class="stack">
                <input type="hidden" name="id" value=id />
                <div class="field">
                    <label for=name.clone()>{texts.door_pin()}</label>
                    <input id=name name="pin" type="text" inputmode="numeric" autocomplete="off" maxlength="8" />
                    <span class="hint">{texts.door_pin_hint()}</span>
                    {is_refused.then(|| view! { <p class="error" role="alert">{texts.door_pin_wrong()}</p> })}
                </div>
                <p><button class="button" type="submit">{texts.door_create()}</button></p>
            </PlainForm>
            <PlainForm function=RevokeDoor::PATH about=revoked.clone() class="inline">
                <input type="hidden" name="id" value=revoked />
                <button class="button small danger" type="submit">{texts.door_revoke()}</button>
            </PlainForm>
        </section>
    }
}
