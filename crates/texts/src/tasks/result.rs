//! Sentences about the last change of a task.

sets!(tasks: TaskResultTexts);
