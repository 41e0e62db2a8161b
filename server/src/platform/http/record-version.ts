import { createHash } from 'node:crypto';
import type { TSchema } from 'typebox';
import { conflict, invalid } from '../errors/app-error.ts';
import type { Ctx } from './context.ts';
import { canonicalJson } from './idempotency/canonical-json.ts';

/** The version of a record, for ETag and If-Match (RFC 9110, 13.1). */
export interface RecordVersion {
  /** The fields whose change makes an If-Match old; counters of a record are none. */
  readonly fields: readonly string[];
  /** The field of the answer that holds the record; without it, the answer is the record. */
  readonly inside?: string;
  /** Locks the row of the record until the transaction ends. A record that is not there is found out by reading it. */
  lock(ctx: Ctx, params: Readonly<Record<string, string>>): Promise<unknown>;
}

/** `changes` is the body of the PATCH of the record: its fields are the version, with the status where there is one. */
export const recordVersion = (changes: TSchema, lock: RecordVersion['lock']): RecordVersion => ({
  fields: ['status', ...Object.keys('properties' in changes && changes.properties ? Object(changes.properties) : {})],
  lock,
});

const hash = (text: string): string => createHash('sha256').update(text, 'utf8').digest('base64url').slice(0, 16);

// Verbs answer what they were given; what is read later comes from jsonb, which keeps keys in another order.
const versionOf = ({ fields, inside }: RecordVersion, answer: object): string => {
  const found = new Map<string, unknown>(Object.entries(answer));
  const values = inside === undefined ? found : new Map<string, unknown>(Object.entries(Object(found.get(inside))));
  return hash(canonicalJson(fields.map((field) => values.get(field) ?? null)));
};

/**
 * A strong ETag in two parts: the version of what a PATCH can change, which If-Match compares, and a hash of the whole
 * answer, so that If-None-Match notices every other change too.
 */
export const etagOf = (version: RecordVersion, record: object): string =>
  `"${versionOf(version, record)}.${hash(JSON.stringify(record))}"`;

const TAGS = /^\s*(?:W\/)?"[\x21\x23-\x7e]*"(?:\s*,\s*(?:W\/)?"[\x21\x23-\x7e]*")*\s*$/;

/** 409 unless the record is as the caller last saw it. A weak tag never matches (RFC 9110, 13.1.1). */
export function checkIfMatch(header: string, version: RecordVersion, record: object): void {
  if (header.trim() === '*') return;
  if (!TAGS.test(header)) throw invalid('If-Match', 'If-Match must be an ETag of this record in quotes, or *');
  const now = versionOf(version, record);
  const isCurrent = header.split(',').some((tag) => tag.trim().startsWith(`"${now}.`));
  if (!isCurrent) {
    throw conflict('The record has been changed since you read it. Read it again, and repeat your change.', 'If-Match');
  }
}

export const isNotModified = (header: string | undefined, etag: string | undefined): boolean =>
  header !== undefined &&
  etag !== undefined &&
  header.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()));
