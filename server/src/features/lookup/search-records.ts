import { identityIn } from '#mail/addresses/read-address.ts';
import { invalid } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { toWire } from './find-record.ts';
import { isShownTo, readableKinds } from './kinds.ts';
import type { Kind } from './queries.ts';
import { BY_ADDRESS, BY_NAME, listFound } from './search-queries.ts';

/** Of each kind. */
const SHOWN = 5;

/**
 * The records that a text names, five of each kind at most, the newest first: those of an address, or those that
 * have the text in their names. A record that the caller could not read is left out.
 */
export async function searchRecords({ db, workspaceId, actor }: Ctx, search: string) {
  const text = search.trim();
  if (text === '') throw invalid('search', 'search must have a character that is no space');
  const kinds = readableKinds(actor);
  const address = identityIn(text);
  const rows = await listFound(
    db,
    workspaceId,
    address === undefined ? { text, kinds, by: BY_NAME } : { text: address, kinds, by: BY_ADDRESS },
  );
  const shown = new Map<Kind, number>();
  const data = rows.filter((row) => {
    const before = shown.get(row.kind) ?? 0;
    if (before >= SHOWN || !isShownTo(actor, row)) return false;
    shown.set(row.kind, before + 1);
    return true;
  });
  return { data: data.map(toWire) };
}
