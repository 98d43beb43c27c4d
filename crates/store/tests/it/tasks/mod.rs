//! Writing and executing tasks.

mod bulk;
mod burst;
mod concurrency_limit;
mod execute;
mod grace;
mod overdue;
mod target_order;
