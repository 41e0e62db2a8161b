import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { DecodedImage, ImageFile } from './decoding/decoded-image.ts';
import type { Image, Variant } from './image.ts';

const columns = sql`i.id, i.address, i.filename, i.frames, i.content_type as "contentType", i.width, i.height, i.bytes,
  i.large_width as "largeWidth", i.large_height as "largeHeight", i.created_at as "createdAt"`;

const isOfKey = (apiKeyId: string | null): RawBuilder<unknown> =>
  apiKeyId === null ? sql`true` : sql`i.api_key_id = ${apiKeyId}`;

/** Newest first, without deleted ones. `apiKeyId`: only what this key has uploaded. */
export async function pageOfImages(
  db: Db,
  workspaceId: string,
  asked: { apiKeyId: string | null; after: string | null; offset: number; limit: number },
): Promise<Image[]> {
  const { rows } = await sql<Image>`
    select ${columns} from images i
     where i.workspace_id = ${workspaceId} and i.deleted_at is null and ${isOfKey(asked.apiKeyId)}
       and (${asked.after}::uuid is null or i.id < ${asked.after}::uuid)
     order by i.id desc limit ${asked.limit} offset ${asked.offset}`.execute(db);
  return rows;
}

/** Counted up to `max` and no further. */
export async function countImages(
  db: Db,
  workspaceId: string,
  { apiKeyId, max }: { apiKeyId: string | null; max: number },
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (
      select from images i where i.workspace_id = ${workspaceId} and i.deleted_at is null and ${isOfKey(apiKeyId)}
       limit ${max}) as counted`.execute(db);
  return rows[0]?.total ?? 0;
}

export async function findImage(
  db: Db,
  workspaceId: string,
  id: string,
  apiKeyId: string | null,
): Promise<Image | undefined> {
  const { rows } = await sql<Image>`
    select ${columns} from images i
     where i.workspace_id = ${workspaceId} and i.id = ${id} and i.deleted_at is null and ${isOfKey(apiKeyId)}`.execute(
    db,
  );
  return rows[0];
}

/** The image that was made of these bytes, which is listed again if it was deleted. */
export async function restoreImageOf(db: Db, workspaceId: string, sourceHash: Buffer): Promise<Image | undefined> {
  const { rows } = await sql<Image>`
    update images i set deleted_at = null
     where i.workspace_id = ${workspaceId} and i.source_hash = ${sourceHash} returning ${columns}`.execute(db);
  return rows[0];
}

export interface Usage {
  images: number;
  bytes: number;
}

export async function findUsage(db: Db, workspaceId: string): Promise<Usage> {
  const { rows } = await sql<Usage>`
    select images, bytes from image_usage where workspace_id = ${workspaceId}`.execute(db);
  return rows[0] ?? { images: 0, bytes: 0 };
}

/** Holds the workspace, so that nothing is added to one that is being deleted. False: it is gone. */
export async function holdWorkspace(tx: Db, workspaceId: string): Promise<boolean> {
  const { rows } = await sql`select id from workspaces where id = ${workspaceId} for key share`.execute(tx);
  return rows.length > 0;
}

export interface NewImage {
  workspaceId: string;
  id: string;
  sourceHash: Buffer;
  address: string;
  filename: string | null;
  apiKeyId: string | null;
  decoded: DecodedImage;
}

/** Undefined: another upload of the same bytes came first. */
export async function insertImage(tx: Db, image: NewImage): Promise<Image | undefined> {
  const { workspaceId, id, decoded } = image;
  const { mail, large } = decoded;
  const stored = mail.bytes.length + (large?.bytes.length ?? 0);
  const { rows } = await sql<Image>`
    insert into images as i (workspace_id, id, source_hash, address, filename, frames, content_type, width, height, bytes,
                        large_width, large_height, stored_bytes, api_key_id)
    values (${workspaceId}, ${id}, ${image.sourceHash}, ${image.address}, ${image.filename}, ${decoded.frames},
            ${mail.contentType}, ${mail.width}, ${mail.height}, ${mail.bytes.length}, ${large?.width ?? null},
            ${large?.height ?? null}, ${stored}, ${image.apiKeyId})
    on conflict (workspace_id, source_hash) do nothing
    returning ${columns}`.execute(tx);
  if (rows[0] === undefined) return undefined;
  await insertFile(tx, image, 'mail', mail);
  if (large !== null) await insertFile(tx, image, 'large', large);
  return rows[0];
}

async function insertFile(
  tx: Db,
  { workspaceId, id }: NewImage,
  variant: Variant,
  { contentType, bytes }: ImageFile,
): Promise<void> {
  await sql`
    insert into image_files (workspace_id, image_id, variant, content_type, body)
    values (${workspaceId}, ${id}, ${variant}, ${contentType}, ${bytes})`.execute(tx);
}

/** Takes room for one more. False: there is none; 0 is no limit. */
export async function takeRoom(
  tx: Db,
  workspaceId: string,
  { bytes, imagesMax, bytesMax }: { bytes: number; imagesMax: number; bytesMax: number },
): Promise<boolean> {
  const { rows } = await sql`
    insert into image_usage as u (workspace_id, images, bytes) values (${workspaceId}, 1, ${bytes})
    on conflict (workspace_id) do update set images = u.images + 1, bytes = u.bytes + excluded.bytes
     where (${imagesMax} = 0 or u.images < ${imagesMax}) and (${bytesMax} = 0 or u.bytes + ${bytes} <= ${bytesMax})
    returning workspace_id`.execute(tx);
  return rows.length > 0;
}

/** Takes an image out of the lists. Undefined: there is none. */
export async function hideImage(
  db: Db,
  workspaceId: string,
  id: string,
  { apiKeyId, servedDays }: { apiKeyId: string | null; servedDays: number },
): Promise<Date | undefined> {
  const { rows } = await sql<{ servedUntil: Date }>`
    update images i set deleted_at = now()
     where i.workspace_id = ${workspaceId} and i.id = ${id} and i.deleted_at is null and ${isOfKey(apiKeyId)}
    returning deleted_at + make_interval(days => ${servedDays}) as "servedUntil"`.execute(db);
  return rows[0]?.servedUntil;
}

/** Removes an image, also one that was deleted before. Returns its address. */
export async function removeImage(
  tx: Db,
  workspaceId: string,
  id: string,
  apiKeyId: string | null,
): Promise<string | undefined> {
  const { rows } = await sql<{ address: string }>`
    with gone as (
      delete from images i where i.workspace_id = ${workspaceId} and i.id = ${id} and ${isOfKey(apiKeyId)}
      returning i.address, i.stored_bytes
    ), freed as (
      update image_usage u set images = u.images - 1, bytes = u.bytes - gone.stored_bytes
        from gone where u.workspace_id = ${workspaceId}
    )
    select address from gone`.execute(tx);
  return rows[0]?.address;
}

export interface ServedFile {
  contentType: string;
  body: Buffer;
  isDeleted: boolean;
}

/** The large form of an image that has none is that of mail. Nothing of a deleted workspace is served. */
export async function findServedFile(db: Db, address: string, variant: Variant): Promise<ServedFile | undefined> {
  const { rows } = await sql<ServedFile>`
    -- every workspace: mail knows the address alone, which nobody can guess
    select f.content_type as "contentType", f.body, i.deleted_at is not null as "isDeleted"
      from images i
      join workspaces w on w.id = i.workspace_id
      join image_files f on f.workspace_id = i.workspace_id and f.image_id = i.id
       and f.variant = case when i.large_width is null then 'mail' else ${variant}::text end
     where i.address = ${address}`.execute(db);
  return rows[0];
}
