import { invalid, unacceptable } from '#platform/errors/app-error.ts';

export const NAME_CHARS_MAX = 200;
export const SOURCE_CHARS_MAX = 200;
const METADATA_BYTES_MAX = 16_384;

const RESERVED = 'unsubscribe_reason';

/**
 * What a caller keeps beside a subscriber. The reason of an unsubscribe is ours to write: 422. Throws 400 for more than
 * 16 KB.
 */
export function checkMetadata(metadata: Readonly<Record<string, unknown>>): void {
  if (Object.hasOwn(metadata, RESERVED)) {
    throw unacceptable(`metadata.${RESERVED}`, `metadata.${RESERVED} is set when somebody unsubscribes.`);
  }
  if (Buffer.byteLength(JSON.stringify(metadata), 'utf8') > METADATA_BYTES_MAX) {
    throw invalid('metadata', 'metadata must be at most 16 KB as JSON');
  }
}

/** Key by key: what is null goes. Keys that we wrote ourselves stay, also when all are cleared. */
export function mergeMetadata(
  held: Readonly<Record<string, unknown>>,
  change: Readonly<Record<string, unknown>> | null,
): Record<string, unknown> {
  if (change === null) return Object.hasOwn(held, RESERVED) ? { [RESERVED]: held[RESERVED] } : {};
  const merged = Object.entries({ ...held, ...change }).filter(
    ([key]) => change[key] !== null || !Object.hasOwn(change, key),
  );
  const result = Object.fromEntries(merged);
  if (Buffer.byteLength(JSON.stringify(result), 'utf8') > METADATA_BYTES_MAX) {
    throw invalid('metadata', 'metadata would be larger than 16 KB as JSON');
  }
  return result;
}
