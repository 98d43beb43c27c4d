-- Imports of uploaded exports, and the articles that they created, so that an import can be undone.

create table import (
    id          uuid primary key,
    -- wordpress, ghost.
    system      text not null,
    -- Name of the uploaded file; the file itself is in the data folder of a node, named by the id.
    file_name   text not null,
    -- JSON: how it is imported.
    options     text not null,
    -- checking, ready, failed, running, done, interrupted, undone.
    state       text not null,
    version     integer not null default 1 check (version >= 1),
    -- JSON: result of the check, then of the import.
    report      text,
    -- Why it failed or was interrupted.
    why         text,
    -- JSON: what undoing it did.
    undo        text,
    -- Number of posts, and of those that were processed.
    total       bigint not null default 0,
    done        bigint not null default 0,
    account_id  uuid not null,
    created_at  bigint not null,
    -- Renewed while it is checked or runs: one that is not renewed was interrupted.
    touched_at  bigint not null,
    finished_at bigint
);
-- One at a time.
create unique index import_running on import (state) where state = 'running';

create table import_article (
    import_id  uuid not null references import (id) on delete cascade,
    article_id uuid not null,
    primary key (import_id, article_id)
);
