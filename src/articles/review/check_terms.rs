//! Limits of the terms of a word list.

use domain::{
    DomainError,
    error::ValidationError,
    review::{
        Action, MAX_EXCEPTIONS, MAX_PATTERN_BYTES, MAX_PATTERNS, MAX_TERM_CHARS, MAX_TERMS, MAX_TERMS_BYTES,
        Term, check_speed, check_term, problem::TermProblem,
    },
};

/// Checks all terms; the error names the first one that is refused, e.g. `terms[17].term`.
/// `other_patterns`: number of regular expressions in other lists.
pub fn check(terms: &[Term], action: Action, other_patterns: usize) -> Result<(), DomainError> {
    let max = |max: usize| u32::try_from(max).unwrap_or(u32::MAX);
    if terms.len() > MAX_TERMS {
        return Err(DomainError::invalid("terms", ValidationError::TooMany { max: max(MAX_TERMS) }));
    }
    let bytes = |term: &Term| {
        let exceptions: usize = term.exceptions.iter().map(String::len).sum();
        term.term.len() + exceptions + term.replacement.as_ref().map_or(0, String::len)
    };
    if terms.iter().map(bytes).sum::<usize>() > MAX_TERMS_BYTES {
        return Err(DomainError::invalid("terms", ValidationError::TooLarge { max: max(MAX_TERMS_BYTES) }));
    }
    let mut patterns = other_patterns;
    for (at, term) in terms.iter().enumerate() {
        let refused = |field: &str, problem| DomainError::invalid(&format!("terms[{at}]{field}"), problem);
        let limit = if term.is_pattern { MAX_PATTERN_BYTES } else { MAX_TERM_CHARS };
        if term.term.chars().count() > limit {
            return Err(refused(".term", ValidationError::TooLong { max: max(limit) }));
        }
        if term.exceptions.len() > MAX_EXCEPTIONS {
            return Err(refused(".exceptions", ValidationError::TooMany { max: max(MAX_EXCEPTIONS) }));
        }
        let is_long = |text: &String| text.chars().count() > MAX_TERM_CHARS;
        if term.exceptions.iter().any(is_long) {
            return Err(refused(".exceptions", ValidationError::TooLong { max: max(MAX_TERM_CHARS) }));
        }
        if term.replacement.as_ref().is_some_and(is_long) {
            return Err(refused(".replacement", ValidationError::TooLong { max: max(MAX_TERM_CHARS) }));
        }
        patterns += usize::from(term.is_pattern);
        let many = TermProblem::TooManyPatterns { max: max(MAX_PATTERNS) };
        let checked = if patterns > MAX_PATTERNS { Err(many) } else { check_term(term, action) };
        let checked = checked.and_then(|()| check_speed(term));
        checked.map_err(|why| {
            let field = if why == TermProblem::NoReplacement { ".replacement" } else { ".term" };
            refused(field, ValidationError::Term { why })
        })?;
    }
    Ok(())
}
