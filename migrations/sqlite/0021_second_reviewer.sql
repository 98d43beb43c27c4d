-- The first of two approvals of a review.

-- Who approved, or created the link that did. Null: there is no first approval.
alter table review add column first_reviewer_id blob;
-- Name of the person whose link approved. Null: no link did.
alter table review add column first_link_name text;
alter table review add column first_approved_at integer;
