//! How server functions answer: as JSON, which the browser reads by the very code that reads what a page brought with it.
//! The library's own encoding reads bytes instead of text: each type would be in the wasm twice.

use serde::{Serialize, de::DeserializeOwned, de::Error as _};
use server_fn::{Bytes, ContentType, Decodes, Encodes, Format, FormatType, codec::Post};

/// The answer of a server function.
pub type Told = Post<Json>;

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
