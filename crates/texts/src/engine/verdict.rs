//! Texts of the verdict on the engine, and of its pause.

sets!(engine: VerdictTexts);
