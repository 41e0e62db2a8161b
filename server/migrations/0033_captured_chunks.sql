-- A captured message keeps the bytes of its own in `captured_emails.mime`. Its large parts, which every copy of a send
-- has in common, are kept once for each workspace. Messages from before this migration, and small ones, have no parts.
create table captured_chunks (
  workspace_id uuid not null,
  -- SHA-256
  hash bytea not null,
  bytes bytea not null,
  primary key (workspace_id, hash)
);
-- Encoded files hardly compress.
alter table captured_chunks alter column bytes set storage external;

create table captured_parts (
  workspace_id uuid not null,
  captured_id uuid not null,
  position integer not null,
  -- The bytes of `mime` that come before this part.
  own_bytes integer not null,
  hash bytea not null,
  primary key (workspace_id, captured_id, position),
  foreign key (workspace_id, captured_id) references captured_emails (workspace_id, id) on delete cascade,
  -- A chunk that a message uses cannot go.
  foreign key (workspace_id, hash) references captured_chunks (workspace_id, hash)
);
create index captured_parts_of_chunk on captured_parts (workspace_id, hash);

-- The message, byte for byte, as a provider would have got it.
create function ph_captured_mime(in_workspace uuid, in_id uuid, in_own bytea) returns bytea
language sql stable parallel safe as $$
  select coalesce(
    string_agg(substring(in_own from p.before + 1 for p.own_bytes - p.before) || c.bytes, ''::bytea order by p.position)
      || substring(in_own from max(p.own_bytes) + 1),
    in_own)
    from (
      select position, hash, own_bytes, lag(own_bytes, 1, 0) over (order by position) as before
        from captured_parts where workspace_id = in_workspace and captured_id = in_id
    ) as p
    join captured_chunks c on c.workspace_id = in_workspace and c.hash = p.hash
$$;
