import type { Db } from '#platform/db/database.ts';
import { conflict, unacceptable } from '#platform/errors/app-error.ts';
import { createLinkJudge } from '#mail/tracking/tracked-html.ts';
import { lengthenLinks, LINKS_MAX } from './link-counts-queries.ts';
import { listRedirects, lockLinks, upsertRedirect } from './redirect-queries.ts';

/** A mailing with its redirects is one entry in the memory of every process that answers clicks. */
const REDIRECTS_MAX = 100;

/** Where we stand ourselves: no link may be led there, and from there on again. */
export interface OwnAddresses {
  publicUrl: string;
  dashboardUrl: string;
}

/**
 * Lets a tracked link of mail that has left lead elsewhere, from now on; to itself again when both are the same. Its
 * clicks are counted for the new address from then on. Called in a transaction. Returns where it led before, and
 * undefined when nothing changes. Throws 409 without counted links, 422 for an unknown link or no address of the web.
 */
export async function redirectLink(
  tx: Db,
  key: { workspaceId: string; sendId: string },
  { from, to }: { from: string; to: string },
  { publicUrl, dashboardUrl }: OwnAddresses,
): Promise<{ before: string } | undefined> {
  const links = await lockLinks(tx, key);
  if (links === undefined) throw conflict('It has no tracked links: it was not sent, or its clicks are not counted.');
  if (!links.includes(from)) throw unacceptable('from', 'It has no tracked link with this address.');
  const target = from === to ? to : requireTarget(to, { publicUrl, dashboardUrl });
  const redirects = await listRedirects(tx, key);
  const before = redirects.find(({ link }) => link === from)?.target ?? from;
  if (before === target) return undefined;
  if (redirects.length >= REDIRECTS_MAX && redirects.every(({ link }) => link !== from)) {
    throw conflict(`At most ${REDIRECTS_MAX} links of a mailing can lead elsewhere.`);
  }
  const isNew = !links.includes(target);
  if (isNew && links.length >= LINKS_MAX) throw conflict('The links of this mailing were changed too often.');
  await upsertRedirect(tx, key, { link: from, target });
  if (isNew) await lengthenLinks(tx, key, [target]);
  return { before };
}

function requireTarget(to: string, { publicUrl, dashboardUrl }: OwnAddresses): string {
  // A reader of URLs leaves line breaks out, and the address would be another than was asked for.
  if (/[\x00-\x1f\x7f]/.test(to)) throw unacceptable('to', 'to has a line break or another control character in it.');
  const judge = createLinkJudge({ baseUrl: publicUrl, ownUrls: [dashboardUrl], opens: false, clicks: true });
  const target = judge(to);
  if (target === null || /\{%|\}\}/.test(target)) {
    throw unacceptable('to', 'to must be a whole address that begins with http:// or https://, and no link to leave.');
  }
  const { username, password } = new URL(target);
  if (username + password !== '') throw unacceptable('to', 'to must have no user name and no password.');
  return target;
}
