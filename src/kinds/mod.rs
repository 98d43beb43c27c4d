//! What happens when a task is due: one strategy a file.
