import { createHash } from 'node:crypto';
import type { Db } from '#platform/db/database.ts';
import { conflict } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { Incoming, Received } from '#platform/http/body/streamed-body.ts';
import { newId } from '#platform/ids.ts';
import type { ImportTarget } from '../transfer-target.ts';
import type { TargetType } from '../target-type.ts';
import type { FileFormat, ImportOptions } from './import.ts';
import { aimUpload, countOpenImports, deleteImport, insertPart, insertUpload, type Upload } from './import-queries.ts';
import { type FileStart, formatOf, lookAtFile } from './look-at-file.ts';
import { PART_BYTES, RECORD_BYTES_MAX } from './read-file.ts';
import { unpackGzip } from './unpack-gzip.ts';
import { UploadPlaces } from './upload-places.ts';

/** The list that a file goes into, and how. */
export interface Aim {
  type: TargetType;
  id: string;
  /** Of the list. */
  name: string | null;
  target: ImportTarget;
  options: ImportOptions;
  /** null: the file says it by its first character. */
  format: FileFormat | null;
}

/** The data that `receiveFile` passes to `queueImport`. */
export interface ReceivedFile {
  importId: string;
  start: FileStart;
  /** Of the list that it goes into. */
  listName: string | null;
}

/** Imports of a workspace that are not at their end. */
const OPEN_MAX = 20;
/** Longer than the slowest sender may take for one piece; an upload whose process died is swept after it. */
const UPLOAD_LEASE_SECONDS = 120;

/** Of this process. */
const places = new UploadPlaces();

/** A file as it arrives. */
interface ArrivingFile {
  pieces: AsyncIterable<Buffer>;
  /** The body that it stands in. */
  upload: Incoming;
}

/**
 * Puts a file away as it arrives, in pieces that are committed one by one. `aim` says what the file is for: at once,
 * then a file that is none of the two formats is refused as soon as its beginning says so; or a promise, when that is
 * known behind the file only. Whatever goes wrong, nothing of the file stays. Throws 503 (Retry-After) when there is no
 * place for it in this process, or others needed its place more, and conflict while the workspace has too many imports
 * open.
 */
export async function receiveFile(
  ctx: Pick<Ctx, 'db' | 'workspaceId' | 'actor' | 'clock' | 'ip'>,
  { pieces, upload }: ArrivingFile,
  aim: Aim | (() => Promise<Aim>),
): Promise<Received & { value: ReceivedFile }> {
  const { db, workspaceId } = ctx;
  const leavePlace = await places.take(ctx.clock, workspaceId, upload);
  const importId = newId();
  const discard = (): Promise<void> => deleteImport(db, workspaceId, importId);
  try {
    if ((await countOpenImports(db, workspaceId)) >= OPEN_MAX) {
      throw conflict(`${OPEN_MAX} imports are waiting already. Send the file again when one is done.`);
    }
    await insertUpload(db, rowOf(ctx, importId), UPLOAD_LEASE_SECONDS);
    const known = typeof aim === 'function' ? undefined : aim;
    const { beginning, isWhole, hash } = await storePieces(ctx, importId, unpackGzip(pieces), known);
    const found = typeof aim === 'function' ? await aim() : aim;
    const { start, format } = look(beginning, isWhole, found);
    const aimed = { targetType: found.type, targetId: found.id, options: found.options, format };
    if (!(await aimUpload(db, workspaceId, importId, aimed))) throw conflict('The upload was given up.');
    return { value: { importId, start, listName: found.name }, fingerprint: hash, discard };
  } catch (error) {
    await discard();
    throw error;
  } finally {
    leavePlace();
  }
}

function look(beginning: Buffer, isWhole: boolean, { target, options, format }: Aim) {
  const known = format ?? formatOf(beginning);
  return { format: known, start: lookAtFile(beginning, known, { rules: target.layout, wishes: options }, isWhole) };
}

/** Nobody sees it before it is aimed. */
const rowOf = (
  { workspaceId, actor, clock, ip }: Pick<Ctx, 'workspaceId' | 'actor' | 'clock' | 'ip'>,
  id: string,
): Upload => ({
  workspaceId,
  id,
  createdBy: { type: actor.type, id: actor.id, email: actor.email, mode: actor.mode },
  ip,
  at: clock.now(),
});

async function storePieces(
  { db, workspaceId }: { db: Db; workspaceId: string },
  importId: string,
  pieces: AsyncIterable<Buffer>,
  known: Aim | undefined,
): Promise<{ beginning: Buffer; isWhole: boolean; hash: string }> {
  const hash = createHash('sha256');
  let first: { beginning: Buffer; isWhole: boolean } | undefined;
  let number = 0;
  // The same memory for all of a file: what is allocated outside the heap is given back late. The first line may be as
  // long as any other, so that much is waited for before it is looked at.
  const held = Buffer.allocUnsafeSlow(RECORD_BYTES_MAX);
  let length = 0;
  const store = async (isLast: boolean): Promise<void> => {
    if (first === undefined) {
      first = { beginning: Buffer.from(held.subarray(0, length)), isWhole: isLast };
      if (known !== undefined) look(first.beginning, first.isWhole, known);
    }
    for (let at = 0; at < length; at += PART_BYTES, number += 1) {
      const bytes = held.subarray(at, Math.min(at + PART_BYTES, length));
      const part = { number, bytes, leaseSeconds: UPLOAD_LEASE_SECONDS };
      if (!(await insertPart(db, workspaceId, importId, part))) throw conflict('The upload was given up.');
    }
    length = 0;
  };
  for await (const piece of pieces) {
    hash.update(piece);
    for (let at = 0; at < piece.length; ) {
      const taken = piece.copy(held, length, at);
      [length, at] = [length + taken, at + taken];
      if (length === held.length) await store(false);
    }
  }
  await store(true);
  if (first === undefined) throw new Error('the beginning of a file is always looked at');
  return { ...first, hash: hash.digest('hex') };
}
