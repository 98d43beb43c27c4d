//! The queue of a pool: which job is next.

use super::Share;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// What a thread runs.
pub type Work = Box<dyn FnOnce() + Send>;

/// A job that waits.
pub struct Job {
    /// Whose share it takes.
    pub share: Share,
    /// Cancelled when the client is gone, for whom alone the job is done; `None`: its result is
    /// stored.
    pub client: Option<CancellationToken>,
    /// What is done.
    pub work: Work,
}

/// A job that a thread runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Running {
    share: Share,
    is_for_client: bool,
}

impl Job {
    fn is_abandoned(&self) -> bool {
        self.client.as_ref().is_some_and(CancellationToken::is_cancelled)
    }

    const fn running(&self) -> Running {
        Running { share: self.share, is_for_client: self.client.is_some() }
    }
}

#[derive(Default)]
struct State {
    /// In the order of arrival.
    waiting: Vec<Job>,
    running: Vec<Running>,
    /// When shares with jobs began their last one, as a count of all jobs.
    turns: Vec<(Share, u64)>,
    count: u64,
    is_closed: bool,
}

/// Jobs that wait and run.
pub struct Queue {
    state: Mutex<State>,
    /// Wakes threads.
    ready: Condvar,
    /// Notifies those who wait for a place in the queue.
    pub freed: Notify,
    max_jobs: usize,
    /// Maximum number of jobs of one share that wait or run.
    max_in_share: usize,
    /// Maximum number of threads for one share, and for the jobs of clients.
    max_threads: usize,
}

impl Queue {
    /// Returns an empty queue. A share has at most a quarter of it, and all threads but one.
    pub fn new(threads: usize, max_jobs: usize) -> Self {
        Self {
            state: Mutex::default(),
            ready: Condvar::new(),
            freed: Notify::new(),
            max_jobs,
            max_in_share: (max_jobs / 4).max(1),
            max_threads: threads.saturating_sub(1).max(1),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a job, or returns it: the queue or its share is full.
    pub fn push(&self, job: Job) -> Result<(), Job> {
        let mut state = self.state();
        self.remove_abandoned(&mut state);
        let in_share = state.jobs().filter(|other| other.share == job.share).count();
        let is_full = job.share != Share::Desk && in_share >= self.max_in_share;
        if is_full || state.jobs().count() >= self.max_jobs {
            return Err(job);
        }
        state.waiting.push(job);
        drop(state);
        // Not every thread may take it.
        self.ready.notify_all();
        Ok(())
    }

    /// Waits for a job and takes it; `None`: the pool is closed.
    pub fn take(&self) -> Option<(Running, Work)> {
        let mut state = self.state();
        loop {
            if state.is_closed {
                return None;
            }
            self.remove_abandoned(&mut state);
            if let Some(index) = self.next(&state) {
                let job = state.waiting.remove(index);
                let running = job.running();
                state.begin(running);
                return Some((running, job.work));
            }
            state = self.ready.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Removes the jobs whose clients are gone.
    fn remove_abandoned(&self, state: &mut State) {
        let before = state.waiting.len();
        state.waiting.retain(|waiting| !waiting.is_abandoned());
        if state.waiting.len() < before {
            self.freed.notify_waiters();
        }
    }

    /// Index of the next job: of the share with the fewest running ones, what is stored before what
    /// is shown, then of the share that had no turn for longest, in the order of arrival.
    fn next(&self, state: &State) -> Option<usize> {
        let running = |share: Share| state.running.iter().filter(|one| one.share == share).count();
        let clients = state.running.iter().filter(|one| one.is_for_client).count();
        let may_run = |job: &Job| {
            let is_within = job.share == Share::Desk || running(job.share) < self.max_threads;
            is_within && (job.client.is_none() || clients < self.max_threads)
        };
        let waiting = state.waiting.iter().enumerate().filter(|(_, job)| may_run(job));
        let first =
            waiting.min_by_key(|(_, job)| (running(job.share), job.client.is_some(), state.turn(job.share)));
        first.map(|(index, _)| index)
    }

    /// Frees the place of a job that has ended.
    pub fn finish(&self, ended: Running) {
        let mut state = self.state();
        if let Some(index) = state.running.iter().position(|one| *one == ended) {
            state.running.swap_remove(index);
        }
        state.forget_turn(ended.share);
        drop(state);
        self.ready.notify_all();
        self.freed.notify_waiters();
    }

    /// Ends the threads once their jobs have ended.
    pub fn close(&self) {
        self.state().is_closed = true;
        self.ready.notify_all();
    }
}

impl State {
    fn begin(&mut self, job: Running) {
        self.running.push(job);
        self.count += 1;
        self.turns.retain(|(share, _)| *share != job.share);
        self.turns.push((job.share, self.count));
    }

    fn turn(&self, share: Share) -> u64 {
        self.turns.iter().find(|(other, _)| *other == share).map_or(0, |(_, turn)| *turn)
    }

    /// Forgets the turn of a share without jobs, so that the list is never longer than the queue.
    fn forget_turn(&mut self, share: Share) {
        if !self.jobs().any(|job| job.share == share) {
            self.turns.retain(|(other, _)| *other != share);
        }
    }

    /// All jobs that wait or run.
    fn jobs(&self) -> impl Iterator<Item = Running> {
        self.waiting.iter().map(Job::running).chain(self.running.iter().copied())
    }
}
