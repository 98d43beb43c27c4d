//! Encoding of server function responses: JSON as text, decoded by the same code as the data
//! embedded in a page. `server_fn`'s own encoding decodes bytes, so each type would be in the wasm
//! twice.

use domain::{DomainError, error::ValidationError};
use serde::{Deserialize, Serialize, de::DeserializeOwned, de::Error as _};
use server_fn::{
    Bytes, ContentType, Decodes, Encodes, Format, FormatType,
    codec::Post,
    error::{FromServerFnError, ServerFnErrorErr},
};

/// Output encoding of a server function.
pub type JsonOutput = Post<Json>;

/// JSON as text.
#[derive(Debug)]
pub struct Json;

impl ContentType for Json {
    const CONTENT_TYPE: &'static str = "application/json";
}

impl FormatType for Json {
    const FORMAT_TYPE: Format = Format::Text;
}

impl<T: Serialize> Encodes<T> for Json {
    type Error = serde_json::Error;

    fn encode(output: &T) -> Result<Bytes, Self::Error> {
        serde_json::to_vec(output).map(Bytes::from)
    }
}

impl<T: DeserializeOwned> Decodes<T> for Json {
    type Error = serde_json::Error;

    fn decode(bytes: Bytes) -> Result<T, Self::Error> {
        serde_json::from_str(std::str::from_utf8(&bytes).map_err(serde_json::Error::custom)?)
    }
}

/// The error of every server function.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Refused(pub DomainError);

impl From<DomainError> for Refused {
    fn from(refusal: DomainError) -> Self {
        Self(refusal)
    }
}

impl FromServerFnError for Refused {
    type Encoder = Json;

    fn from_server_fn_error(error: ServerFnErrorErr) -> Self {
        use ServerFnErrorErr as E;
        Self(match error {
            E::Args(_) | E::MissingArg(_) => DomainError::invalid(
                "form",
                ValidationError::Sentence { why: "the form could not be read".to_owned() },
            ),
            E::Request(_) | E::Response(_) => DomainError::Unavailable,
            _ => DomainError::Internal { reference: "frontend".to_owned() },
        })
    }
}
