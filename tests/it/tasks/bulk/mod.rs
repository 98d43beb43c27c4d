//! Many tasks in one request.

mod change;
mod create;
mod export;
mod repeated;
mod zone;
