//! Texts of the four guarantees: counters and how each is checked.

sets!(engine: GuaranteeTexts);
