-- Images that people upload for their mail. The uploaded file is not kept: its pixels are encoded anew. Without a
-- foreign key to workspaces: a deleted workspace may have 1 GB of them, which go page by page (image_purges).
create table images (
  workspace_id uuid not null,
  id uuid not null,
  -- SHA-256 of the file as it was uploaded: the same file is the same image.
  source_hash bytea not null,
  -- 128 random bits in base64url: the public address, which mail knows.
  address text not null,
  filename text,
  -- 1: it stands still.
  frames integer not null,
  content_type text not null,
  width integer not null,
  height integer not null,
  bytes integer not null,
  -- null: there is no file larger than that of mail.
  large_width integer,
  large_height integer,
  -- Of all its files.
  stored_bytes bigint not null,
  -- The key that uploaded it; null: a person.
  api_key_id uuid,
  created_at timestamptz not null default now(),
  -- It is listed no more, and served for some days.
  deleted_at timestamptz,
  primary key (workspace_id, id)
);
create unique index images_of_source on images (workspace_id, source_hash);
create unique index images_of_address on images (address);
create index images_listed on images (workspace_id, id) where deleted_at is null;
create index images_deleted on images (deleted_at) where deleted_at is not null;

create table image_files (
  workspace_id uuid not null,
  image_id uuid not null,
  variant text not null check (variant in ('mail', 'large')),
  content_type text not null,
  body bytea not null,
  primary key (workspace_id, image_id, variant),
  foreign key (workspace_id, image_id) references images (workspace_id, id) on delete cascade
);
-- Images are compressed already.
alter table image_files alter column body set storage external;

-- The images of a workspace and their bytes, counted where they are added and removed.
create table image_usage (
  workspace_id uuid primary key,
  images integer not null,
  bytes bigint not null
);

-- Deleted workspaces whose images are still there.
create table image_purges (
  workspace_id uuid primary key,
  created_at timestamptz not null default now()
);
