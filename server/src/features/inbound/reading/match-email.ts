import { emailRecords } from '#features/outbox';
import type { Db } from '#platform/db/database.ts';
import { isUuid } from '#platform/ids.ts';

export type MatchedBy = 'in_reply_to' | 'references' | 'provider_id' | 'plus_address';

export interface Answered {
  inReplyTo: string | null;
  references: readonly string[];
  mailboxHash: string | null;
  /** In lower case. */
  fromEmail: string | null;
}

/** The ids that are looked up of one message. */
const LOOKED_UP_MAX = 50;

/**
 * The email of ours that a message answers, and how that is known. Message-IDs of ours hold the id of the email; those
 * that programs gave to messages which they handed in are stored; a provider that writes its own ones is asked by
 * those; an address such as `support+<id of the email>@…` says it by itself. Only emails of the same workspace are
 * found.
 */
export async function matchEmail(
  db: Db,
  workspaceId: string,
  { inReplyTo, references, mailboxHash, fromEmail }: Answered,
): Promise<{ emailId: string; matchedBy: MatchedBy } | undefined> {
  const newestFirst = references.toReversed();
  const named = [...new Set([...(inReplyTo === null ? [] : [inReplyTo]), ...newestFirst])].slice(0, LOOKED_UP_MAX);
  const hash = mailboxHash?.toLowerCase() ?? '';
  const locals = named.map(localOf);
  const ids = [...locals, hash].map((text) => text.toLowerCase()).filter(isUuid);
  if (ids.length === 0 && locals.length === 0) return undefined;
  const found = await emailRecords.findMentioned(db, workspaceId, { ids, providerIds: locals, messageIds: named });
  for (const id of named) {
    const local = localOf(id);
    const byId = found.find(({ emailId }) => emailId === local.toLowerCase());
    // One message of a program is an email for each of its recipients: that of the person who answers.
    const ofProgram = found.filter(({ messageId }) => messageId === id);
    const answered = byId ?? ofProgram.find(({ recipient }) => recipient.toLowerCase() === fromEmail) ?? ofProgram[0];
    if (answered !== undefined) {
      return { emailId: answered.emailId, matchedBy: id === inReplyTo ? 'in_reply_to' : 'references' };
    }
    const byProvider = found.find(({ providerMessageId }) => providerMessageId === local);
    if (byProvider !== undefined) return { emailId: byProvider.emailId, matchedBy: 'provider_id' };
  }
  const byHash = found.find(({ emailId }) => emailId === hash);
  return byHash === undefined ? undefined : { emailId: byHash.emailId, matchedBy: 'plus_address' };
}

/** `<local@domain>`: the part in front of the @. */
const localOf = (messageId: string): string => messageId.replace(/^</, '').replace(/@[^@]*$|>$/, '');
