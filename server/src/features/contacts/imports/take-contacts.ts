import { isDeepStrictEqual } from 'node:util';
import { hashOfAddress } from '#features/consents';
import { suppressedAmong } from '#features/suppressions';
import { importedBy, type ImportPage, type RowOutcome } from '#features/transfers';
import type { Clock } from '#platform/clock.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Db } from '#platform/db/database.ts';
import { AppError } from '#platform/errors/app-error.ts';
import { newId } from '#platform/ids.ts';
import { forgetChanges } from '../bulk/change-queries.ts';
import type { Contact } from '../contact.ts';
import { describe, NO_DESCRIPTION } from '../contact-input.ts';
import { addKept } from '../lists/change-members.ts';
import { listOptOuts } from '../opt-outs/opt-out-queries.ts';
import { declareProperties } from '../properties/declare-properties.ts';
import { listAllTypes } from '../properties/property-queries.ts';
import type { PropertyTypes } from '../properties/property-types.ts';
import { insertContacts, lockByEmail, updateContacts } from '../queries.ts';
import { addedAmong, markImported, membersAmong } from './import-queries.ts';
import { tellCreated, tellJoined, tellUpdated } from '../news/tell-of-contacts.ts';
import type { ContactRow } from './read-contact-row.ts';

interface Taking {
  tx: Db;
  secrets: Secrets;
  clock: Clock;
  page: ImportPage<ContactRow>;
}

type Outcomes = Map<number, RowOutcome>;

const skipped = (reason: string): RowOutcome => ({ result: 'skipped', reason });

/**
 * Takes one page of a file into a list of contacts. It brings nobody back: who unsubscribed, left the list, is
 * suppressed, or asked to be forgotten is passed over, whatever the file says. That somebody left elsewhere is taken
 * over.
 */
export async function takeContacts(taking: Taking): Promise<ReadonlyMap<number, RowOutcome>> {
  const { page } = taking;
  const outcomes: Outcomes = new Map();
  const met = await metBefore(taking);
  const typed = await withTypes(taking, firstOfEach(page.rows, met, outcomes), outcomes);
  const left = await withoutKeptOut(taking, typed, outcomes);
  const contacts = await store(taking, left, outcomes);
  await addToList(taking, contacts, outcomes);
  // A dry run adds nobody: these would have been added by an earlier row.
  for (const { line, email } of left)
    if (met.has(email) && outcomes.get(line)?.result === 'created')
      outcomes.set(line, { result: 'updated', reason: null });
  return outcomes;
}

/** The addresses of this page that an earlier one had. No result is kept of contacts whom the import has added. */
async function metBefore({ tx, page: { given, rows, metBefore: noted } }: Taking): Promise<ReadonlySet<string>> {
  const emails = rows.map(({ email }) => email);
  const added = await addedAmong(tx, { workspaceId: given.workspaceId, importId: given.id }, emails);
  return new Set([...added, ...(await noted(emails))]);
}

/** Of the rows of an address the first counts; one that says that the person left counts before all others. */
function firstOfEach(rows: readonly ContactRow[], met: ReadonlySet<string>, outcomes: Outcomes): ContactRow[] {
  const first = new Set<string>();
  return rows
    .toSorted((one, other) => Number(other.hasLeft) - Number(one.hasLeft) || one.line - other.line)
    .filter(({ line, email, hasLeft }) => {
      const isFirst = !first.has(email) && (hasLeft || !met.has(email));
      first.add(email);
      if (!isFirst) outcomes.set(line, skipped('duplicate'));
      return isFirst;
    });
}

/** Cells are texts: those of numbers and booleans are read by the type of their property. */
async function withTypes(
  { tx, clock, page: { given } }: Taking,
  rows: readonly ContactRow[],
  outcomes: Outcomes,
): Promise<ContactRow[]> {
  const { workspaceId } = given;
  const types = await listAllTypes(tx, workspaceId);
  const typed = rows.map((row) => ({
    ...row,
    given: { ...row.given, properties: readCells(row.given.properties, types) },
  }));
  const faults = await declareProperties(
    { db: tx, workspaceId, clock },
    typed.map((row) => row.given.properties),
  );
  return typed.filter(({ line }, place) => {
    const fault = faults[place] ?? null;
    if (fault !== null) outcomes.set(line, failed(fault));
    return fault === null;
  });
}

const failed = ({ message }: AppError): RowOutcome => ({ result: 'failed', reason: 'invalid_property', message });

function readCells(properties: Record<string, unknown>, types: PropertyTypes): Record<string, unknown> {
  const read = (key: string, value: unknown): unknown => {
    const type = types.get(key);
    if (typeof value !== 'string') return value;
    if (type === 'number' && /^-?\d{1,20}(\.\d{1,20})?$/.test(value.trim())) return Number(value);
    if (type === 'boolean' && /^(true|false)$/i.test(value.trim())) return value.trim().toLowerCase() === 'true';
    return value;
  };
  return Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, read(key, value)]));
}

async function withoutKeptOut(
  { tx, secrets, page: { given } }: Taking,
  rows: readonly ContactRow[],
  outcomes: Outcomes,
): Promise<ContactRow[]> {
  const hashes = new Map(rows.map((row) => [hashOfAddress(secrets, row.email).toString('hex'), row.email]));
  const kept = await listOptOuts(
    tx,
    given.workspaceId,
    [...hashes.keys()].map((hash) => Buffer.from(hash, 'hex')),
  );
  const optOuts = new Map(kept.map((one) => [hashes.get(one.addressHash.toString('hex')), one]));
  const suppressed = await suppressedAmong(
    tx,
    given.workspaceId,
    rows.map(({ email }) => email),
  );
  return rows.filter(({ line, email, hasLeft }) => {
    const optOut = optOuts.get(email);
    const reason =
      optOut === undefined
        ? suppressed.has(email) && !hasLeft
          ? 'suppressed'
          : null
        : optOut.erased
          ? 'erased'
          : 'unsubscribed';
    if (reason !== null) outcomes.set(line, skipped(reason));
    return reason === null;
  });
}

/** Adds contacts, and changes those who are there. Returns those who come on the list. */
async function store({ tx, page }: Taking, rows: readonly ContactRow[], outcomes: Outcomes): Promise<Placed[]> {
  const { workspaceId, id: importId, options, createdAt } = page.given;
  const emails = rows.map(({ email }) => email);
  const fresh = rows.map((row) => freshOf(row, { workspaceId, at: createdAt, now: page.now }));
  const there = new Set((await lockByEmail(tx, workspaceId, emails)).map(({ email }) => email));
  const inserted = new Set(
    await insertContacts(
      tx,
      workspaceId,
      fresh.filter(({ email }) => !there.has(email)),
    ),
  );
  const held = new Map((await lockByEmail(tx, workspaceId, emails)).map((one) => [one.email, one]));
  const placed = rows.flatMap((row): (Placed & { before: Contact })[] => {
    const before = held.get(row.email);
    if (before === undefined) return [];
    if (inserted.has(row.email)) {
      outcomes.set(row.line, { result: 'created', reason: null });
      return [{ row, before, contact: before }];
    }
    const contact = changed(before, row, { isUpsert: options.onConflict === 'upsert', now: page.now });
    if (contact instanceof AppError) outcomes.set(row.line, failed(contact));
    else if (before.unsubscribedAt !== null) outcomes.set(row.line, skipped('unsubscribed'));
    else {
      outcomes.set(row.line, contact === before ? skipped('exists') : { result: 'updated', reason: null });
      return [{ row, before, contact }];
    }
    return [];
  });
  const differing = placed.filter(({ before, contact }) => before !== contact).map(({ contact }) => contact);
  if (differing.length > 0) await updateContacts(tx, workspaceId, differing);
  await tellUpdated(tx, { workspaceId, actor: importedBy(page.given) }, differing);
  await forgetLeft(tx, workspaceId, rows, held);
  const created = placed.filter(({ row }) => inserted.has(row.email)).map(({ contact }) => contact);
  await markImported(
    tx,
    { workspaceId, importId },
    created.map(({ id }) => id),
  );
  await tellCreated(tx, { workspaceId, actor: importedBy(page.given) }, created);
  return placed.filter(({ contact }) => contact.unsubscribedAt === null);
}

interface Placed {
  row: ContactRow;
  contact: Contact;
}

/** The time of the import is that of what it added: a later change can be told from it. */
const freshOf = (
  { email, given, hasLeft }: ContactRow,
  { workspaceId, at, now }: { workspaceId: string; at: Date; now: Date },
): Contact => ({
  ...describe(NO_DESCRIPTION, given),
  workspaceId,
  id: newId(),
  email,
  unsubscribedAt: hasLeft ? now : null,
  createdAt: at,
  updatedAt: at,
});

/** `skip` fills empty fields only. The same record when nothing differs. */
function changed(
  before: Contact,
  { given, hasLeft }: ContactRow,
  { isUpsert, now }: { isUpsert: boolean; now: Date },
): Contact | AppError {
  try {
    const filled = describe(before, given);
    const over = isUpsert ? filled : { ...filled, ...held(before, filled) };
    const after = { ...before, ...over, unsubscribedAt: before.unsubscribedAt ?? (hasLeft ? now : null) };
    return isDeepStrictEqual(after, before) ? before : { ...after, updatedAt: now };
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

const held = (before: Contact, filled: Pick<Contact, 'properties'>): Partial<Contact> => ({
  ...Object.fromEntries(
    (['firstName', 'lastName', 'name', 'timezone', 'language'] as const).flatMap((field) =>
      before[field] === null ? [] : [[field, before[field]]],
    ),
  ),
  properties: { ...filled.properties, ...before.properties },
});

/** A file that tells of somebody's leaving is an opt-out: no undo of a bulk job brings the person back. */
async function forgetLeft(
  tx: Db,
  workspaceId: string,
  rows: readonly ContactRow[],
  contacts: ReadonlyMap<string, Contact>,
): Promise<void> {
  const left = rows.flatMap(({ hasLeft, email }) => (hasLeft ? [contacts.get(email)?.id ?? []] : []).flat());
  await forgetChanges(tx, workspaceId, left);
}

async function addToList({ tx, secrets, page }: Taking, placed: readonly Placed[], outcomes: Outcomes): Promise<void> {
  const { workspaceId, id: importId, targetId } = page.given;
  const contacts = placed.map(({ contact }) => contact);
  const added = new Set(await addKept({ db: tx, workspaceId, secrets }, targetId, contacts));
  const members = await membersAmong(
    tx,
    { workspaceId, listId: targetId },
    contacts.map(({ id }) => id),
  );
  await markImported(tx, { workspaceId, importId, listId: targetId }, [...added]);
  await tellJoined(tx, { workspaceId, actor: importedBy(page.given), listId: targetId }, contacts, [...added]);
  for (const { row, contact } of placed) {
    const isNew = outcomes.get(row.line)?.result === 'created';
    if (!members.has(contact.id) && !isNew) outcomes.set(row.line, skipped('unsubscribed'));
    else if (added.has(contact.id) && !isNew) outcomes.set(row.line, { result: 'updated', reason: null });
  }
}
