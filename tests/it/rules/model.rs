//! What a rule does to one subject, as simply as it can be said. Times are milliseconds.

use domain::rule::Repeat;

/// A rule *after* `open` *wait* `wait_ms` *then send unless* `close`, and one subject.
pub struct Model {
    pub repeat: Repeat,
    pub wait_ms: i64,
    /// Ids of signals that arrived.
    pub seen: Vec<u32>,
    /// Moments of closing signals.
    pub closings: Vec<i64>,
    /// Moments of the signals of open waits.
    pub open: Vec<i64>,
    /// Moments for which a message was sent.
    pub sent: Vec<i64>,
    /// Number of waits that were closed.
    pub closed: usize,
}

impl Model {
    pub fn new(repeat: Repeat, wait_ms: i64) -> Self {
        let (seen, closings, open, sent) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { repeat, wait_ms, seen, closings, open, sent, closed: 0 }
    }

    /// The clock shows `now`.
    pub fn tick(&mut self, now: i64) {
        let wait_ms = self.wait_ms;
        let due: Vec<i64> = self.open.iter().map(|at| at + wait_ms).filter(|due| *due <= now).collect();
        self.open.retain(|at| at + wait_ms > now);
        self.sent.extend(due);
    }

    /// A signal arrives.
    pub fn signal(&mut self, id: u32, is_opening: bool, at: i64) {
        if self.seen.contains(&id) {
            return;
        }
        self.seen.push(id);
        if !is_opening {
            let before = self.open.len();
            self.open.retain(|opened| *opened > at);
            self.closed += before - self.open.len();
            self.closings.push(at);
            return;
        }
        if self.closings.iter().any(|closing| *closing >= at) {
            return;
        }
        match (self.open.first_mut(), self.repeat) {
            (Some(_), Repeat::Ignore) => {}
            (Some(opened), Repeat::Restart) => *opened = at.max(*opened),
            (None, _) | (_, Repeat::Another) => self.open.push(at),
        }
    }
}
