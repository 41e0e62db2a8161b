import { invalid, unacceptable } from '#platform/errors/app-error.ts';
import { expandScopes, SCOPE_PRESETS, SCOPES } from '#features/workspaces';
import type { Db } from '#platform/db/database.ts';
import { Faults } from '#platform/errors/faults.ts';
import { eachItem, readEach } from '#platform/http/fields/read-meaning.ts';
import type { KeyLimits } from './api-key.ts';
import { formatIpRange, parseIpRange } from './ip-ranges.ts';
import type { CreateApiKeyBody, UpdateApiKeyBody } from './schemas.ts';

/** Looks up which of these ids the workspace does not have; given by main for the features above this one. */
export type FindMissing = (db: Db, workspaceId: string, ids: readonly string[]) => Promise<readonly string[]>;

/** Scopes as stored: presets written out, no name twice. */
export function readScopes(names: readonly string[]): string[] {
  const faults = new Faults();
  nameUnknownScopes(names, faults);
  faults.throwIfAny();
  return expandScopes(names).scopes;
}

/** The sentence about the first lists the scopes, which are many. */
function nameUnknownScopes(names: readonly string[], faults: Faults): void {
  for (const [nth, index] of expandScopes(names).unknown.entries()) {
    const param = `scopes[${index}]`;
    const sentence = `${param} is not a scope: "${names[index]}".`;
    faults.unreadable(param, nth === 0 ? `${sentence} ${SCOPES_IN_WORDS}` : sentence);
  }
}

const SCOPES_IN_WORDS = `Scopes are ${SCOPES.join(', ')}, and the presets ${Object.keys(SCOPE_PRESETS).join(', ')}.`;

export function readIpRanges(texts: readonly string[]): string[] {
  return texts.map(readIpRange);
}

function readIpRange(text: string, index: number): string {
  const range = parseIpRange(text.trim());
  const param = `allowed_ips[${index}]`;
  if (range === undefined) throw invalid(param, `${param} must be an IP address or a range such as 203.0.113.0/24`);
  return formatIpRange(range);
}

export function readExpiry(text: string | null, now: Date): Date | null {
  if (text === null) return null;
  const expiresAt = new Date(text);
  if (expiresAt <= now) throw unacceptable('expires_at', 'expires_at must be in the future');
  return expiresAt;
}

export const readLimits = (given: Partial<KeyLimits> | undefined, otherwise: KeyLimits): KeyLimits => ({
  hourly: given?.hourly ?? otherwise.hourly,
  daily: given?.daily ?? otherwise.daily,
  monthly: given?.monthly ?? otherwise.monthly,
});

/** Ids of the workspace's own records, lower-cased, each once. Another workspace's are unknown like any other. */
export async function readIds(
  param: string,
  given: readonly string[],
  findMissing: (ids: readonly string[]) => Promise<readonly string[]>,
): Promise<string[]> {
  const ids = given.map((id) => id.toLowerCase());
  const missing = new Set(ids.length === 0 ? [] : await findMissing(ids));
  const index = ids.findIndex((id) => missing.has(id));
  if (index !== -1) throw unacceptable(`${param}[${index}]`, `${param}[${index}] is not in this workspace`);
  return [...new Set(ids)];
}

const readers = {
  scopes: (names: readonly string[], _now: Date, faults: Faults) => nameUnknownScopes(names, faults),
  allowed_ips: eachItem(readIpRange),
  expires_at: readExpiry,
};
export const readNewKey = readEach<typeof CreateApiKeyBody>(readers);
export const readKeyChange = readEach<typeof UpdateApiKeyBody>(readers);
