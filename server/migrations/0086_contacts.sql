-- The people of a workspace, beside the subscribers of its newsletters. Without a foreign key to workspaces: a deleted
-- workspace may have millions of them, which go page by page (contact_purges).
create table contacts (
  workspace_id uuid not null,
  id uuid not null,
  -- The identity of the address: lower case, domain in ASCII.
  email text not null,
  first_name text,
  last_name text,
  name text,
  -- Values by key. Their types are those of contact_properties.
  properties jsonb not null default '{}',
  unsubscribed_at timestamptz,
  timezone text,
  language text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id),
  constraint contacts_email_key unique (workspace_id, email)
);

-- The addresses that a contact had before: mail to them belongs to its history. They end with the contact.
create table contact_former_addresses (
  workspace_id uuid not null,
  contact_id uuid not null,
  email text not null,
  until timestamptz not null default now(),
  primary key (workspace_id, contact_id, email),
  foreign key (workspace_id, contact_id) references contacts (workspace_id, id) on delete cascade
);

-- The properties that contacts of a workspace have: the first value of a key decides its type. They end with the
-- workspace, and there are at most 200.
create table contact_properties (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  id uuid not null,
  key text not null,
  type text not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id),
  constraint contact_properties_key_key unique (workspace_id, key),
  constraint contact_properties_type_check check (type in ('string', 'number', 'boolean', 'date'))
);

-- The rest of a contact who wants no mail and was deleted: a keyed hash of the address, so that the address does
-- not come back as one that may be mailed. It ends with the workspace, or when the contact is subscribed again by hand.
create table contact_opt_outs (
  workspace_id uuid not null,
  address_hash bytea not null,
  -- All zeros: no mail at all. Else only none of this list.
  list_id uuid not null default '00000000-0000-0000-0000-000000000000',
  unsubscribed_at timestamptz not null,
  -- The person asked to be forgotten: uploads of many pass the address over.
  erased boolean not null default false,
  primary key (workspace_id, address_hash, list_id)
);

-- Deleted workspaces whose contacts are still there.
create table contact_purges (
  workspace_id uuid primary key,
  created_at timestamptz not null default now()
);
