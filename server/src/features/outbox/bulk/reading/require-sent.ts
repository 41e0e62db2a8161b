import type { Db } from '#platform/db/database.ts';
import { conflict, unacceptable } from '#platform/errors/app-error.ts';
import { hasEmails, type SentVersion } from './sent-queries.ts';
import { statsOfOwners } from './stats-of-sends.ts';

/**
 * The send of a mailing, and how many were sent that version of it. 409 when it was not sent yet, 422 when nobody was
 * sent the version, and when the emails were removed: their counts stay, and the recipients are not known any more.
 */
export async function requireSent(
  db: Db,
  mailing: { workspaceId: string; id: string; sendId: string | null },
  contentVersion: number | null,
): Promise<SentVersion & { sent: number }> {
  const { workspaceId, id, sendId } = mailing;
  if (sendId === null) throw conflict('It was not sent yet. Change it before you send it.');
  const stats = (await statsOfOwners(db, workspaceId, [{ id, sendId }])).get(id);
  const sent = contentVersion === null ? stats?.sent : versionOf(stats, contentVersion)?.sent;
  if (sent === undefined || sent === 0) {
    throw unacceptable(
      'content_version',
      contentVersion === null ? 'Nobody was sent it.' : `Nobody was sent version ${contentVersion}.`,
    );
  }
  if (!(await hasEmails(db, { workspaceId, sendId }))) {
    throw unacceptable(
      'content_version',
      'Its emails were removed after the days of retention: nobody can be reached any more. Write to the list instead.',
    );
  }
  return { workspaceId, sendId, contentVersion, sent };
}

type Stats = Awaited<ReturnType<typeof statsOfOwners>> extends ReadonlyMap<string, infer One> ? One : never;

const versionOf = (stats: Stats | undefined, version: number) =>
  stats?.by_version.find((one) => one.content_version === version);
