-- Where a newsletter was before: its pages lead on from there until somebody else takes the word.
create table newsletter_former_slugs (
  workspace_id uuid not null,
  slug text primary key check (slug = lower(slug)),
  newsletter_id uuid not null,
  foreign key (workspace_id, newsletter_id) references newsletters (workspace_id, id) on delete cascade
);
create index newsletter_former_slugs_of_newsletter on newsletter_former_slugs (workspace_id, newsletter_id);
