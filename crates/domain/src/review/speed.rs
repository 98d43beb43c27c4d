//! Whether a pattern is fast enough for long texts.

use super::{
    check::CheckedText, compiled::CompiledLists, field::Action, problem::TermProblem, word_list::Term,
};
use std::cell::Cell;

/// Texts that are repeated to find out how long a pattern takes, and the length of the result.
const SPEED_SAMPLES: [&str; 3] = ["a", "1", "The ship left port 12 at 9:30, 船在九点离港。"];
const SPEED_SAMPLE_CHARS: usize = 4_096;
/// Maximum number of steps on one of these texts: half of what a pattern takes that reads the rest of the text
/// for each letter.
const MAX_SPEED_STEPS: usize = SPEED_SAMPLE_CHARS * SPEED_SAMPLE_CHARS / 4;

/// Refuses a pattern that would take too long on a long text: the time of some grows with the square of the
/// length. Counts steps on standard texts. Only for new terms: one of a stored list is looked for all the same.
pub fn check_speed(term: &Term, action: Action) -> Result<(), TermProblem> {
    if !term.is_pattern {
        return Ok(());
    }
    let lists = CompiledLists::new(&[(action, vec![term.clone()])]);
    for sample in SPEED_SAMPLES {
        let title = sample.repeat(SPEED_SAMPLE_CHARS / sample.chars().count());
        let steps = Cell::new(0_usize);
        let count = |more: usize| {
            steps.set(steps.get().saturating_add(more));
            if steps.get() > MAX_SPEED_STEPS { Err(TermProblem::TooSlowPattern) } else { Ok(()) }
        };
        let text = CheckedText { title: &title, ..CheckedText::default() };
        lists.check_in_time(&text, &count).map_err(|unfinished| unfinished.why)?;
    }
    Ok(())
}
