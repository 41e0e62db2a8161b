import type { Db } from '#platform/db/database.ts';
import type { PersonalContent } from '../../compose/personal-content.ts';
import { lengthenLinks, LINKS_MAX, linksOfSends } from '../../counting/link-counts-queries.ts';
import { touchRedirects } from '../../counting/redirect-queries.ts';
import type { NewBulkSend, SendKey } from '../bulk-send.ts';
import { type ContentVersion, lockPaused, replaceContent } from './change-content-queries.ts';

/** Holds a paused send until the transaction ends. False: it is not paused, or it is cancelled, or not there. */
export const holdPaused = (tx: Db, key: SendKey): Promise<boolean> => lockPaused(tx, key);

/**
 * Gives a paused send that the transaction holds another content: its next version. The claim gives an email the
 * version of that moment, so who was not sent anything yet gets this one, and an email in hand keeps its own. Sender,
 * headers, tags and tracking stay.
 */
export async function changeContent(
  tx: Db,
  key: SendKey,
  { content, personal, links }: Pick<NewBulkSend, 'links'> & { content: NewTexts; personal: PersonalContent },
): Promise<{ before: ContentVersion; after: ContentVersion }> {
  const changed = await replaceContent(tx, key, { ...content, personal });
  if (links !== null) await addLinks(tx, key, links);
  await touchRedirects(tx, key);
  return changed;
}

export type NewTexts = Pick<NewBulkSend['content'], 'subject' | 'html' | 'text'>;

/** The places of the links that are there stay: clicks are counted by them. */
async function addLinks(tx: Db, key: SendKey, links: readonly string[]): Promise<void> {
  const [found] = await linksOfSends(tx, [key]);
  if (found === undefined) return;
  const known = new Set(found.links);
  const added = links.filter((link) => !known.has(link)).slice(0, LINKS_MAX - known.size);
  if (added.length > 0) await lengthenLinks(tx, key, added);
}
