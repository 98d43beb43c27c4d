//! Every text of the screen, in every language: one file an area, both languages side by side, so that a missing one does
//! not compile. A page asks for its words with `XWords::here()`.

pub mod account;
pub mod articles;
#[cfg(feature = "ssr")]
pub mod attention;
pub mod channel;
pub mod desk;
pub mod engine;
#[cfg(feature = "ssr")]
pub mod fault;
pub mod frame;
#[cfg(feature = "ssr")]
pub mod held;
pub mod late;
pub mod news;
pub mod number;
pub mod promise;
pub mod reason;
pub mod refusal;
pub mod schedule;
pub mod task;
pub mod time;
pub mod verb;
pub mod weather;
#[cfg(feature = "ssr")]
pub mod zone_move;

use crate::visitor::visitor;
pub use domain::person::Language;

/// The language of this page.
#[must_use]
pub fn language() -> Language {
    visitor().language()
}

/// Makes a set of words: `key = "English", "Chinese";` is a method that answers `&'static str`,
/// `key(arg: Type) = "{arg} English", "Chinese {arg}";` one that answers a `String`.
macro_rules! texts {
    ($(#[$doc:meta])* $name:ident { $($key:ident $(($($arg:ident: $type:ty),+))? = $en:literal, $zh:literal;)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name(pub $crate::words::Language);

        impl $name {
            /// The words in the language of this page.
            #[must_use]
            pub fn here() -> Self {
                Self($crate::words::language())
            }

            $(
                #[must_use]
                #[doc = $en]
                pub fn $key(self $($(, $arg: $type)+)?) -> $crate::words::texts!(@type $($($arg)+)?) {
                    match self.0 {
                        $crate::words::Language::En => $crate::words::texts!(@text $en $($($arg)+)?),
                        $crate::words::Language::Zh => $crate::words::texts!(@text $zh $($($arg)+)?),
                    }
                }
            )+
        }
    };
    (@type) => { &'static str };
    (@type $($arg:ident)+) => { String };
    (@text $text:literal) => { $text };
    (@text $text:literal $($arg:ident)+) => { format!($text, $($arg = $arg),+) };
}
pub(crate) use texts;
