import type { ImportPage, RowOutcome } from '../transfer-target.ts';
import { type HeldPerson, type Judgement, judgePerson, type KnownAddresses } from './judge-person.ts';
import type { PersonRow } from './read-person.ts';

/** A row and what is to be done with it. */
export interface Judged<K extends Judgement['do']> {
  row: PersonRow;
  to: Extract<Judgement, { do: K }>;
}

/** The list that a page of people goes into, in the transaction of the page. Each call is for the whole page. */
export interface PeopleList {
  /** The known state of these addresses, on the list or not. Nobody is suppressed until the transaction ends. */
  know(emails: readonly string[]): Promise<KnownAddresses>;
  /** The rows that have these addresses already, locked in the order of their addresses. */
  lockAmong(emails: readonly string[]): Promise<readonly HeldPerson[]>;
  /** Adds people whose address nobody has taken in between. Returns the addresses of the added. */
  add(people: readonly Judged<'create'>[]): Promise<readonly string[]>;
  change(people: readonly Judged<'update'>[]): Promise<void>;
  unsubscribe(people: readonly Judged<'unsubscribe'>[]): Promise<void>;
}

/** Rows that somebody else adds or removes meanwhile are looked at again. */
const LOOKS = 3;

/** Takes one page of a file of people into a list; a dry run says only what would be done. */
export async function takePeople(
  page: ImportPage<PersonRow>,
  list: PeopleList,
): Promise<ReadonlyMap<number, RowOutcome>> {
  const done = new Map<number, RowOutcome>();
  let left = firstOfEach(page.rows, done);
  if (left.length === 0) return done;
  const known = await list.know(left.map(({ email }) => email));
  // Most of a file are new: they are added without a look, and only who could not be is looked at.
  if (!page.given.options.dryRun) left = await addNew(page, list, known, left, done);
  for (let look = 0; look < LOOKS && left.length > 0; look += 1) left = await takeOnce(page, list, known, left, done);
  for (const row of left) done.set(row.line, { result: 'skipped', reason: 'exists' });
  return done;
}

type Done = Map<number, RowOutcome>;

/** Of the rows of an address the first counts; one that says that the person left counts before all others. */
function firstOfEach(rows: readonly PersonRow[], done: Done): PersonRow[] {
  const first = new Map<string, PersonRow>();
  const inOrder = rows.toSorted((a, b) => Number(hasLeft(b)) - Number(hasLeft(a)) || a.line - b.line);
  for (const row of inOrder) {
    if (first.has(row.email)) done.set(row.line, { result: 'skipped', reason: 'duplicate' });
    else first.set(row.email, row);
  }
  return rows.filter((row) => first.get(row.email) === row);
}

const hasLeft = ({ status }: PersonRow): boolean => status === 'unsubscribed';

/** Answers those who were not added: they are on the list, or may not come onto it. */
async function addNew(
  { given }: ImportPage<PersonRow>,
  list: PeopleList,
  known: KnownAddresses,
  rows: readonly PersonRow[],
  done: Done,
): Promise<PersonRow[]> {
  const judged = rows.map((row) => ({ row, to: judgePerson(row, undefined, known, given.options) }));
  const others = judged.filter(({ to }) => to.do !== 'create').map(({ row }) => row);
  const there = await add(list, thoseTo(judged, 'create'), done);
  if (others.length === 0) return there;
  const left = new Set([...others, ...there]);
  return rows.filter((row) => left.has(row));
}

/** Answers those that somebody else has added in between. */
async function takeOnce(
  page: ImportPage<PersonRow>,
  list: PeopleList,
  known: KnownAddresses,
  rows: readonly PersonRow[],
  done: Done,
): Promise<PersonRow[]> {
  const judged = await judge(page, list, known, rows);
  const [created, updated, left] = [
    thoseTo(judged, 'create'),
    thoseTo(judged, 'update'),
    thoseTo(judged, 'unsubscribe'),
  ];
  for (const { row, to } of thoseTo(judged, 'skip')) done.set(row.line, { result: 'skipped', reason: to.reason });
  for (const { row } of [...updated, ...left]) done.set(row.line, { result: 'updated', reason: null });
  if (page.given.options.dryRun) {
    for (const { row } of created) done.set(row.line, { result: 'created', reason: null });
    return [];
  }
  await list.unsubscribe(left);
  await list.change(updated);
  return add(list, created, done);
}

async function judge(
  { given, metBefore }: ImportPage<PersonRow>,
  list: PeopleList,
  known: KnownAddresses,
  rows: readonly PersonRow[],
): Promise<{ row: PersonRow; to: Judgement }[]> {
  const emails = rows.map((row) => row.email);
  const held = new Map((await list.lockAmong(emails)).map((one) => [one.email, one] as const));
  const met = new Set(await metBefore(emails));
  return rows.map((row) => {
    const isMet = met.has(row.email);
    if (isMet && !hasLeft(row)) return { row, to: { do: 'skip', reason: 'duplicate' } };
    const before =
      held.get(row.email) ?? (isMet && given.options.dryRun ? addedBefore(row, known.importId) : undefined);
    return { row, to: judgePerson(row, before, known, given.options) };
  });
}

/** A dry run adds nobody: this is the person whom an earlier row of the file would have added. */
const addedBefore = ({ email }: PersonRow, importId: string): HeldPerson => ({
  id: '',
  email,
  name: null,
  source: null,
  metadata: {},
  status: 'active',
  confirmedAt: null,
  importId,
});

async function add(list: PeopleList, judged: readonly Judged<'create'>[], done: Done): Promise<PersonRow[]> {
  if (judged.length === 0) return [];
  const added = new Set(await list.add(judged));
  for (const { row } of judged) if (added.has(row.email)) done.set(row.line, { result: 'created', reason: null });
  return judged.filter(({ row }) => !added.has(row.email)).map(({ row }) => row);
}

const thoseTo = <K extends Judgement['do']>(
  judged: readonly { row: PersonRow; to: Judgement }[],
  what: K,
): Judged<K>[] => judged.filter((one): one is Judged<K> => one.to.do === what);
