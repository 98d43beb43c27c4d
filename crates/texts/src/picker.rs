//! Texts of the time field.

sets!(picker: TimeFieldTexts);
