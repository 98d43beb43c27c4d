//! Whether a pattern is fast enough for long texts.

use super::{compiled::Pattern, problem::TermProblem, word_list::Term};

/// Texts that are repeated to find out how long a pattern takes, and the length of the result.
const SPEED_SAMPLES: [&str; 3] = ["a", "1", "The ship left port 12 at 9:30, 船在九点离港。"];
const SPEED_SAMPLE_CHARS: usize = 4_096;
/// Maximum number of steps on one of these texts: half of what a pattern takes that reads the rest of the text
/// for each letter.
const MAX_SPEED_STEPS: usize = SPEED_SAMPLE_CHARS * SPEED_SAMPLE_CHARS / 4;

/// Refuses a pattern that would take too long on a long text: the time of some grows with the square of the
/// length. Counts steps on standard texts. Only for new terms: one of a stored list is looked for all the same.
pub fn check_speed(term: &Term) -> Result<(), TermProblem> {
    if !term.is_pattern {
        return Ok(());
    }
    let pattern = Pattern::new(0, &term.term)?;
    for sample in SPEED_SAMPLES {
        let text = sample.repeat(SPEED_SAMPLE_CHARS / sample.chars().count());
        let mut steps = 0_usize;
        for (more, _) in pattern.matches(&text) {
            steps = steps.saturating_add(more);
            if steps > MAX_SPEED_STEPS {
                return Err(TermProblem::TooSlowPattern);
            }
        }
    }
    Ok(())
}
