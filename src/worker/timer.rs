//! The timer thread.
