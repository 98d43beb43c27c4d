-- Texts as readers see them: written when a text is saved, read by the public site. Rows can be made again from the texts.
create table rendered (
    revision_id uuid primary key,
    -- Version of the program's rendering; rows of another one are made again.
    renderer    integer not null,
    -- Sanitised HTML; null: the text exceeds a limit of rendering, and the site shows a note.
    html        text,
    -- The first words, for lists.
    lead        text not null,
    -- Language by the letters of the text: en, zh, ja, ko; null: it has none.
    language    text
);
