-- Files that people upload, and the revisions that use them. The files are in the data folder, named
-- by the hash of what was uploaded.

create table media (
    id           uuid primary key,
    -- SHA-256 of the uploaded bytes, in hexadecimal. Several accounts may have uploaded the same file.
    hash         text not null,
    name         text not null,
    -- Ending of the file: png, jpg, webp, gif, pdf, mp3, ogg, wav, flac, m4a.
    format       text not null,
    -- Size in pixels. Null: it is no picture.
    width        integer,
    height       integer,
    -- Size of the stored file, and of it with its smaller versions, in bytes.
    bytes        bigint not null,
    stored_bytes bigint not null,
    alt          text not null,
    owner_id     uuid not null,
    version      integer not null default 1 check (version >= 1),
    created_at   bigint not null,
    unique (owner_id, hash),
    check ((width is null) = (height is null))
);
create index media_hash on media (hash);

-- The files that the text of a revision names. Written with the revision.
create table revision_media (
    revision_id uuid not null,
    hash        text not null,
    primary key (revision_id, hash)
);
create index revision_media_hash on revision_media (hash);
