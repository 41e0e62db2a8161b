import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import { notFound } from '#platform/errors/app-error.ts';
import type { Variant } from './image.ts';
import { findServedFile, type ServedFile } from './queries.ts';
import { ownEntry } from '#platform/own-entry.ts';

const ADDRESS = /^[A-Za-z0-9_-]{22}$/;
const KEPT_BYTES = 32 * 1_048_576;
const KEPT_EACH_MAX = 6 * 1_048_576;
/** Another process may have removed it. */
const KEPT_MS = 60_000;
const YEAR_SECONDS = 31_536_000;
const HOUR_SECONDS = 3_600;
const ENDINGS: Readonly<Record<string, string>> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/gif': 'gif' };

interface Kept extends ServedFile {
  etag: string;
}

export interface ServedImages {
  /** The bytes of an image and the headers of their answer; throws 404. */
  serve(db: Db, address: string, variant: Variant): Promise<{ body: Buffer; headers: Record<string, string> }>;
  forget(address: string): void;
}

/**
 * The public images. When an issue is sent, many readers ask for the same few images within minutes, so these are kept
 * for a minute and read once, however many ask.
 */
export function createServedImages(clock: Clock): ServedImages {
  const kept = new LRUCache<string, Kept, Db>({
    maxSize: KEPT_BYTES,
    maxEntrySize: KEPT_EACH_MAX,
    sizeCalculation: ({ body }) => body.length + 500,
    ttl: KEPT_MS,
    ttlResolution: 0,
    perf: { now: () => clock.monotonicMs() },
    fetchMethod: async (name, _old, { context }) => {
      const [address = '', variant] = name.split('/');
      const file = await findServedFile(context, address, variant === 'large' ? 'large' : 'mail');
      if (file === undefined) return undefined;
      return { ...file, etag: `"${createHash('sha256').update(file.body).digest('base64url').slice(0, 22)}"` };
    },
  });
  return {
    async serve(db, address, variant) {
      const file = ADDRESS.test(address) ? await kept.fetch(`${address}/${variant}`, { context: db }) : undefined;
      if (file === undefined) throw notFound('image', address);
      return { body: file.body, headers: headersOf(address, file) };
    },
    forget(address) {
      kept.delete(`${address}/mail`);
      kept.delete(`${address}/large`);
    },
  };
}

/** The bytes are ours and hold pixels only. Should a browser ever take them for more, it may do nothing with it. */
const headersOf = (address: string, { contentType, etag, isDeleted }: Kept): Record<string, string> => ({
  'content-type': contentType,
  'content-disposition': `inline; filename="${address}.${ownEntry(ENDINGS, contentType) ?? 'bin'}"`,
  'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': isDeleted ? `public, max-age=${HOUR_SECONDS}` : `public, max-age=${YEAR_SECONDS}, immutable`,
  'x-robots-tag': 'noindex',
  etag,
});
