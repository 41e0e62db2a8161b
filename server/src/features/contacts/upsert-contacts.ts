import { isDeepStrictEqual } from 'node:util';
import { hashOfAddress } from '#features/consents';
import { inTransaction } from '#platform/db/database.ts';
import { AppError } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { newId } from '#platform/ids.ts';
import { forgetChanges } from './bulk/change-queries.ts';
import type { Contact } from './contact.ts';
import { type ContactInput, describe, NO_DESCRIPTION } from './contact-input.ts';
import { declareProperties } from './properties/declare-properties.ts';
import type { OptOut } from './opt-outs/opt-out.ts';
import { listOptOuts } from './opt-outs/opt-out-queries.ts';
import { insertContacts, lockByEmail, updateContacts } from './queries.ts';
import { type BadRow, type BatchRow, readBatchRows } from './read-batch-rows.ts';
import { tellCreated, tellUpdated } from './news/tell-of-contacts.ts';

type Outcome = 'created' | 'updated' | 'skipped';
type RowOutcome = BadRow | { index: number; outcome: Outcome };

/**
 * Adds contacts, and changes those whose address is there: only the fields that a row gives. Good rows are stored
 * beside bad ones, all in one transaction. It never subscribes anybody again, and passes erased people over. Rows
 * with the same address count one after another. `ignored` is told the fields that no contact has.
 */
export async function upsertContacts(ctx: Ctx, given: readonly unknown[], ignored: (names: readonly string[]) => void) {
  const { good, bad, unknown } = await readBatchRows(given, ctx.clock.now());
  ignored([...unknown]);
  const outcomes = await inTransaction(ctx.db, async (tx) => {
    const inside = { ...ctx, db: tx };
    const faults = await declareProperties(
      inside,
      good.map(({ input }) => input.properties ?? {}),
    );
    const mistyped = good.flatMap(({ index }, place): BadRow[] => {
      const error = faults[place] ?? null;
      return error === null ? [] : [{ index, error }];
    });
    const rows = good.filter((_, place) => faults[place] === null);
    return [...mistyped, ...(await store(inside, rows))];
  });
  const errors = [...bad, ...outcomes].flatMap((row) =>
    'error' in row ? [{ index: row.index, message: messageOf(row.error) }] : [],
  );
  const countOf = (wanted: Outcome): number =>
    outcomes.filter((row) => 'outcome' in row && row.outcome === wanted).length;
  return {
    created: countOf('created'),
    updated: countOf('updated'),
    skipped: countOf('skipped'),
    errors: errors.toSorted((a, b) => a.index - b.index),
  };
}

const messageOf = ({ message, extras }: AppError): string => extras.details?.join('; ') ?? message;

/** Contacts that another request adds at the same moment are waited for, and then changed like others. */
async function store(ctx: Ctx, rows: readonly BatchRow[]): Promise<RowOutcome[]> {
  if (rows.length === 0) return [];
  const emails = [...new Set(rows.map(({ email }) => email))];
  const held = new Map((await lockByEmail(ctx.db, ctx.workspaceId, emails)).map((one) => [one.email, one]));
  const optOuts = await optOutsOf(
    ctx,
    emails.filter((email) => !held.has(email)),
  );
  const stored = new Map(held);
  const optingOut = rows.flatMap(({ email, input }) =>
    input.unsubscribed === true ? [held.get(email)?.id ?? []] : [],
  );
  await forgetChanges(ctx.db, ctx.workspaceId, optingOut.flat());
  const outcomes = rows.map((row) => ({ ...place(ctx, row, stored, optOuts.get(row.email)), email: row.email }));
  const taken = await write(ctx, held, stored);
  const done = outcomes.filter(({ email }) => !taken.has(email));
  const again = rows.filter(({ email }) => taken.has(email));
  return [...done, ...(await store(ctx, again))];
}

type Kept = Pick<OptOut, 'unsubscribedAt' | 'erased'>;

async function optOutsOf(ctx: Ctx, emails: readonly string[]): Promise<Map<string, Kept>> {
  const byHash = new Map(emails.map((email) => [hashOfAddress(ctx.secrets, email).toString('hex'), email]));
  const hashes = [...byHash.keys()].map((hash) => Buffer.from(hash, 'hex'));
  const kept = hashes.length === 0 ? [] : await listOptOuts(ctx.db, ctx.workspaceId, hashes);
  return new Map(kept.map((one) => [byHash.get(one.addressHash.toString('hex')) ?? '', one]));
}

/** Puts what a row says among what is to be stored. */
function place(
  ctx: Ctx,
  { index, email, input }: BatchRow,
  stored: Map<string, Contact>,
  optOut: Kept | undefined,
): RowOutcome {
  const before = stored.get(email);
  if (before === undefined && optOut?.erased === true) return { index, outcome: 'skipped' };
  const now = ctx.clock.now();
  const after = changed(before ?? fresh(ctx, email, optOut?.unsubscribedAt ?? null, now), input, now);
  if (after instanceof AppError) return { index, error: after };
  if (before !== undefined && isDeepStrictEqual(after, before)) return { index, outcome: 'skipped' };
  stored.set(email, { ...after, updatedAt: now });
  return { index, outcome: before === undefined ? 'created' : 'updated' };
}

const fresh = ({ workspaceId }: Ctx, email: string, unsubscribedAt: Date | null, now: Date): Contact => ({
  ...NO_DESCRIPTION,
  workspaceId,
  id: newId(),
  email,
  unsubscribedAt,
  createdAt: now,
  updatedAt: now,
});

/** Properties that are added to those of before may be too many. */
function changed(before: Contact, input: ContactInput, now: Date): Contact | AppError {
  try {
    const unsubscribedAt = before.unsubscribedAt ?? (input.unsubscribed === true ? now : null);
    return { ...before, ...describe(before, input), unsubscribedAt };
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** Returns the new addresses that others have added meanwhile. */
async function write(
  ctx: Ctx,
  held: ReadonlyMap<string, Contact>,
  stored: ReadonlyMap<string, Contact>,
): Promise<Set<string>> {
  const differing = [...stored.values()].filter((contact) => held.get(contact.email) !== contact);
  const old = differing.filter(({ email }) => held.has(email));
  const added = differing.filter(({ email }) => !held.has(email));
  if (old.length > 0) await updateContacts(ctx.db, ctx.workspaceId, old);
  const inserted = new Set(added.length === 0 ? [] : await insertContacts(ctx.db, ctx.workspaceId, added));
  await tellUpdated(ctx.db, ctx, old);
  await tellCreated(
    ctx.db,
    ctx,
    added.filter(({ email }) => inserted.has(email)),
  );
  return new Set(added.flatMap(({ email }) => (inserted.has(email) ? [] : [email])));
}
