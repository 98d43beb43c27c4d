//! Server functions, one file a noun. They authenticate nothing themselves: they ask `ssr` who calls, and call the desk.

pub mod account;
pub mod articles;
pub mod channel_form;
pub mod channels;
pub mod engine;
pub mod people;
pub mod schedule;
pub mod session;
pub mod settings;
#[cfg(feature = "ssr")]
pub mod ssr;
pub mod tasks;
mod told;

pub use told::Told;

use domain::{Refusal, refusal::Problem};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};
use server_fn::error::{FromServerFnError, ServerFnErrorErr};

/// A refusal on its way to the browser: the error of every server function.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Refused(pub Refusal);

impl From<Refusal> for Refused {
    fn from(refusal: Refusal) -> Self {
        Self(refusal)
    }
}

impl FromServerFnError for Refused {
    type Encoder = told::Json;

    fn from_server_fn_error(error: ServerFnErrorErr) -> Self {
        use ServerFnErrorErr as E;
        Self(match error {
            E::Args(_) | E::MissingArg(_) => {
                Refusal::invalid("form", Problem::Unreadable { why: "the form could not be read".to_owned() })
            }
            E::Request(_) | E::Response(_) => Refusal::Unavailable,
            _ => Refusal::Internal { reference: "face".to_owned() },
        })
    }
}

/// Gives the page the status of an address that leads nowhere.
#[server(name = NotFound, prefix = "/fn", endpoint = "not_found", output = Told)]
pub async fn not_found() -> Result<(), Refused> {
    ssr::answer(Err(Refusal::no_such("page")))
}

/// Gives the page the status of an address that is not for its visitor.
#[server(name = NotAllowed, prefix = "/fn", endpoint = "not_allowed", output = Told)]
pub async fn not_allowed() -> Result<(), Refused> {
    ssr::answer(ssr::actor().and(Err(Refusal::NotAllowed)))
}
