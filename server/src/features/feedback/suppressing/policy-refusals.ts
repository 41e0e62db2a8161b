import type { Db } from '#platform/db/database.ts';
import { identityTold } from '../identity-told.ts';
import type { ProviderEvent } from '../queries/lock-waiting-events.ts';
import { bounceKindOf, bounceWordsOf } from './bounce-kind.ts';
import { addToRefusals, noteAlarms, type RefusalNews, type Refusals } from './policy-refusals-queries.ts';

/** Receivers refuse single emails of every sender. This many in a day, and more than a few in a hundred, mean us. */
const REFUSED_MIN = 20;
const REFUSED_SHARE_MIN = 0.05;
const WORDS_CHARS_MAX = 300;

/**
 * Counts the emails that receiving domains refuse because of their sender: reputation, authentication, block lists,
 * rate, content. Notes the pairs of domains whose owners are to be told when that is committed. Returns how many new
 * refusals there are, and how many pairs it noted.
 */
export async function noteRefusals(
  tx: Db,
  newEvents: readonly ProviderEvent[],
): Promise<{ refused: number; alarms: number }> {
  const news = newEvents.flatMap((event) => newsOf(event));
  if (news.length === 0) return { refused: 0, alarms: 0 };
  const refused = news.filter(({ words }) => words !== null).length;
  const alarms = (await addToRefusals(tx, news)).filter(isAlarming);
  if (alarms.length > 0) await noteAlarms(tx, alarms);
  return { refused, alarms: alarms.length };
}

export const isAlarming = ({ refused, delivered }: Pick<Refusals, 'refused' | 'delivered'>): boolean =>
  refused >= REFUSED_MIN && refused >= (refused + delivered) * REFUSED_SHARE_MIN;

function newsOf(event: ProviderEvent): RefusalNews[] {
  const { workspaceId, emailId } = event;
  const isRefused = bounceKindOf(event) === 'policy';
  const recipientDomain = identityTold(event.recipient)?.split('@').at(-1);
  if (recipientDomain === undefined || !(isRefused || event.type === 'delivery')) return [];
  return [{ workspaceId, emailId, recipientDomain, words: isRefused ? cleanWords(bounceWordsOf(event)) : null }];
}

/** On one line and without addresses of people: the words are kept for days, and mailed. */
export const cleanWords = (words: string): string =>
  words
    .slice(0, 4_000)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .replace(/[^\s<>()"',;:]{1,64}@[^\s<>()"',;:]{1,255}/g, '(an address)')
    .trim()
    .slice(0, WORDS_CHARS_MAX)
    .toWellFormed();
