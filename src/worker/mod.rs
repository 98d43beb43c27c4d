//! The loops that never end. Each has `tick(now)`; `run(stop)` is five lines around it.
