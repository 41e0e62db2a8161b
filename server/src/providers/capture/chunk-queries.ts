import { sql } from 'kysely';
import { type Db, inTransaction } from '#platform/db/database.ts';
import type { Chunk } from './cut-message.ts';

/** Of chunks in one statement; one chunk is smaller. */
const PAGE_BYTES = 4 * 1024 * 1024;

export interface WantedChunk extends Pick<Chunk, 'hash' | 'bytes'> {
  workspaceId: string;
}

/**
 * Sees to it that the chunks are stored and stay until this transaction ends: each of them is either locked or its own.
 * A chunk that another transaction inserts or removes at this moment is looked up again when that one has ended.
 */
export async function holdChunks(tx: Db, given: readonly WantedChunk[]): Promise<void> {
  let missing = [...new Map(given.map((chunk) => [keyOf(chunk), chunk])).values()];
  // Always in this order, so that two transactions with the same chunks cannot wait for each other.
  missing.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  while (missing.length > 0) {
    missing = without(missing, await lockChunks(tx, missing));
    const inserted: ChunkKey[] = [];
    for (const page of pagesOf(missing)) inserted.push(...(await insertChunks(tx, page)));
    missing = without(missing, inserted);
  }
}

/**
 * Removes those of the chunks that no message uses. A chunk that somebody holds at this moment is passed over. Returns
 * how many bytes it removed.
 */
export async function deleteUnusedChunks(db: Db, workspaceId: string, hashes: readonly string[]): Promise<number> {
  if (hashes.length === 0) return 0;
  return inTransaction(db, async (tx) => {
    const { rows } = await sql<{ hash: string }>`
      select encode(hash, 'hex') as hash from captured_chunks
       where workspace_id = ${workspaceId} and hash in (select decode(h, 'hex') from unnest(${[...hashes]}::text[]) as h)
         for update skip locked`.execute(tx);
    // A statement of its own sees every message that was stored before the locks; behind them nobody can add one.
    const gone = await sql<{ bytes: number }>`
      delete from captured_chunks c
       where c.workspace_id = ${workspaceId}
         and c.hash in (select decode(h, 'hex') from unnest(${rows.map((row) => row.hash)}::text[]) as h)
         and not exists (select from captured_parts p where p.workspace_id = ${workspaceId} and p.hash = c.hash)
      returning octet_length(c.bytes) as bytes`.execute(tx);
    return gone.rows.reduce((sum, { bytes }) => sum + bytes, 0);
  });
}

interface ChunkKey {
  workspaceId: string;
  hash: string;
}

const keyOf = ({ workspaceId, hash }: ChunkKey): string => `${workspaceId} ${hash}`;

function without<T extends ChunkKey>(chunks: T[], gone: readonly ChunkKey[]): T[] {
  const keys = new Set(gone.map(keyOf));
  return chunks.filter((chunk) => !keys.has(keyOf(chunk)));
}

async function lockChunks(tx: Db, wanted: readonly ChunkKey[]): Promise<ChunkKey[]> {
  const { rows } = await sql<ChunkKey>`
    select c.workspace_id as "workspaceId", encode(c.hash, 'hex') as hash
      from unnest(${wanted.map((one) => one.workspaceId)}::uuid[], ${wanted.map((one) => one.hash)}::text[])
             as w (workspace_id, hash)
      join captured_chunks c on c.workspace_id = w.workspace_id and c.hash = decode(w.hash, 'hex')
       for key share of c`.execute(tx);
  return rows;
}

async function insertChunks(tx: Db, page: readonly WantedChunk[]): Promise<ChunkKey[]> {
  const starts: number[] = [];
  let start = 1;
  for (const { bytes } of page) {
    starts.push(start);
    start += bytes.length;
  }
  const { rows } = await sql<ChunkKey>`
    insert into captured_chunks (workspace_id, hash, bytes)
    select w.workspace_id, decode(w.hash, 'hex'), substring(b.bytes from w.start for w.size)
      from (values (${Buffer.concat(page.map((one) => one.bytes))}::bytea)) as b (bytes),
           unnest(${page.map((one) => one.workspaceId)}::uuid[], ${page.map((one) => one.hash)}::text[],
             ${starts}::integer[], ${page.map((one) => one.bytes.length)}::integer[])
             with ordinality as w (workspace_id, hash, start, size, position)
     order by w.position
    on conflict do nothing
    returning workspace_id as "workspaceId", encode(hash, 'hex') as hash`.execute(tx);
  return rows;
}

function* pagesOf(chunks: readonly WantedChunk[]): Generator<WantedChunk[]> {
  let page: WantedChunk[] = [];
  let bytes = 0;
  for (const chunk of chunks) {
    if (page.length > 0 && bytes + chunk.bytes.length > PAGE_BYTES) {
      yield page;
      page = [];
      bytes = 0;
    }
    page.push(chunk);
    bytes += chunk.bytes.length;
  }
  if (page.length > 0) yield page;
}
