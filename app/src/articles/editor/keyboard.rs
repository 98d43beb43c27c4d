//! Height of the on-screen keyboard, for the bar above it.

use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue, closure::Closure};

/// Keeps the custom property `--keyboard` of the page at the height of the on-screen keyboard. Call
/// it in the browser only.
///
/// Browsers do not move fixed elements above the keyboard. May be deleted when all supported
/// browsers have `interactive-widget=resizes-content`.
pub fn follow_keyboard() {
    let Some(viewport) = number_source() else { return };
    let follow = {
        let viewport = viewport.clone();
        move || {
            let number = |name: &str| js_sys::Reflect::get(&viewport, &name.into()).ok()?.as_f64();
            let window_height = window().inner_height().ok().and_then(|height| height.as_f64());
            let (Some(whole), Some(height), Some(top)) =
                (window_height, number("height"), number("offsetTop"))
            else {
                return;
            };
            if let Some(root) = document().document_element() {
                let height = format!("{}px", (whole - height - top).max(0.0).round());
                let style = root.unchecked_into::<web_sys::HtmlElement>().style();
                _ = style.set_property("--keyboard", &height);
            }
        }
    };
    let listener = Closure::<dyn Fn()>::new(follow);
    let target: web_sys::EventTarget = viewport.unchecked_into();
    let function = listener.as_ref().unchecked_ref::<js_sys::Function>().clone();
    for event in ["resize", "scroll"] {
        _ = target.add_event_listener_with_callback(event, &function);
    }
    // Owned by the page: the listener lives until the editor is left.
    let kept = StoredValue::new_local(Some((target, listener)));
    on_cleanup(move || {
        kept.update_value(|kept| {
            if let Some((target, listener)) = kept.take() {
                for event in ["resize", "scroll"] {
                    _ = target.remove_event_listener_with_callback(event, listener.as_ref().unchecked_ref());
                }
            }
        });
    });
}

fn number_source() -> Option<JsValue> {
    let viewport = js_sys::Reflect::get(&window(), &"visualViewport".into()).ok()?;
    viewport.is_object().then_some(viewport)
}
