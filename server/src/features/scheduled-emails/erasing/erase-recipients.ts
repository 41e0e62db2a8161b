import { AddressError, parseMailbox } from '#mail/addresses/addresses.ts';
import type { Db } from '#platform/db/database.ts';
import { cancelledByErasure } from '../announcements.ts';
import type { KeptBody } from '../scheduled-email.ts';
import { cancelErased, lockNaming, updateRecipients, type Waiting } from './erasing-queries.ts';

const PAGE = 500;

/**
 * Takes people who were erased out of the emails that wait. One that was to nobody else is cancelled, and its content
 * goes. Called in the transaction that erases them, so that nothing leaves to them afterwards.
 */
export async function eraseRecipients(tx: Db, workspaceId: string, emails: readonly string[]): Promise<void> {
  if (emails.length === 0) return;
  const erased = new Set(emails);
  let after: string | null = null;
  do {
    const page: Waiting[] = await lockNaming(tx, workspaceId, emails, { after, limit: PAGE });
    const changed = page.flatMap((row) => withoutErased(row, erased) ?? []);
    const cancelled = await cancelErased(
      tx,
      workspaceId,
      changed.filter(({ body }) => listOf(body.to).length === 0).map(({ id }) => id),
    );
    if (cancelled.length > 0) await cancelledByErasure.announce(tx, { workspaceId, cancelled });
    await updateRecipients(
      tx,
      workspaceId,
      changed.filter(({ body }) => listOf(body.to).length > 0),
    );
    after = page.length === PAGE ? (page.at(-1)?.id ?? null) : null;
  } while (after !== null);
}

/** undefined: it only looked as if it was to one of them. */
function withoutErased({ id, body, search }: Waiting, erased: ReadonlySet<string>): Waiting | undefined {
  const stays = (text: string): boolean => !erased.has(identityOf(text));
  const lists = { to: listOf(body.to), cc: listOf(body.cc), bcc: listOf(body.bcc) };
  const gone = Object.values(lists)
    .flat()
    .filter((text) => !stays(text));
  if (gone.length === 0) return undefined;
  const kept: KeptBody = { ...body, to: lists.to.filter(stays) };
  if (lists.cc.length > 0) kept.cc = lists.cc.filter(stays);
  if (lists.bcc.length > 0) kept.bcc = lists.bcc.filter(stays);
  const addresses = gone.map(identityOf);
  const lines = search.split('\n').filter((line, place) => !addresses.some((gone) => isAbout(line, place, gone)));
  return { id, body: kept, search: lines.join('\n') };
}

/** A line each: the subject, which may name anybody, and the people. The address of another may end with this one. */
const isAbout = (line: string, place: number, address: string): boolean =>
  place === 0 ? line.includes(address) : ` ${line}`.endsWith(` ${address}`);

const listOf = (given: string | readonly string[] | null | undefined): readonly string[] =>
  given === null || given === undefined ? [] : typeof given === 'string' ? [given] : given;

/** It was read when it was stored. */
function identityOf(text: string): string {
  try {
    return parseMailbox(text).identity;
  } catch (error) {
    if (error instanceof AddressError) return '';
    throw error;
  }
}
