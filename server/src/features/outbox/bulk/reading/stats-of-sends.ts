import { Type } from 'typebox';
import type { Db } from '#platform/db/database.ts';
import { record } from '#platform/records/record.ts';
import { Count, Instant, nullable } from '#platform/records/wire-types.ts';
import { sumCountsByVersion, type VersionCounts } from '../counts-queries.ts';
import { countsOfSends, type SendCounts } from '../send-counts.ts';

const STATS = record({
  total: Type.Integer({ description: 'Recipients, frozen when it was sent: `pending + sent + failed`.' }),
  pending: Type.Integer({ description: 'Not yet accepted by the provider.' }),
  sent: Type.Integer({ description: 'Accepted by the provider, whatever happened afterwards.' }),
  delivered: Count,
  opened: Type.Integer({ description: 'Opened by a person; machines are in `opened_machine`.' }),
  clicked: Count,
  bounced: Count,
  complained: Count,
  failed: Type.Integer({ description: 'Never accepted: refused, suppressed or cancelled.' }),
  first_event_at: nullable(Instant),
  last_event_at: nullable(Instant),
  opened_machine: Count,
  clicked_machine: Count,
  unsubscribed: Type.Integer({ description: 'Unsubscribed by the link in this mail.' }),
  waiting: Type.Integer({ description: 'Of `pending`: not released to the queue yet; a cancel stops these.' }),
  queued: Count,
  sending: Count,
  unconfirmed: Type.Integer({ description: 'Of `pending`: handed over without an answer.' }),
  refused: Type.Integer({
    description:
      'Of `failed`: the provider refused it, and `retry-failed` tries it again; or the provider accepted and ' +
      'later rejected it.',
  }),
  suppressed: Count,
  cancelled: Count,
});

const OF_VERSION = record({
  content_version: Type.Integer({ minimum: 1, description: 'A change while it is paused makes the next version.' }),
  sent: Type.Integer({ description: 'Accepted by the provider in this version.' }),
  delivered: Count,
  opened: Count,
  clicked: Count,
  bounced: Count,
  complained: Count,
  unsubscribed: Count,
  opened_machine: Count,
  clicked_machine: Count,
  refused: Count,
});
const ofVersion = Type.Object(OF_VERSION.schema, { title: 'StatsOfVersion', additionalProperties: false });

/** The fields of the statistics of a bulk send on the wire, for the schema of its owner. */
export const statsFields = {
  ...STATS.schema,
  by_version: Type.Array(ofVersion, { description: 'By the version of the content. Empty before it is sent.' }),
};

/** The statistics on the wire. `total = pending + sent + failed` at every moment. */
export type BulkStats = ReturnType<typeof statsView>;

const NONE: SendCounts = {
  total: 0,
  pending: 0,
  waiting: 0,
  queued: 0,
  sending: 0,
  unconfirmed: 0,
  sent: 0,
  failed: 0,
  refused: 0,
  suppressed: 0,
  cancelled: 0,
  delivered: 0,
  bounced: 0,
  complained: 0,
  opened: 0,
  clicked: 0,
  openedMachine: 0,
  clickedMachine: 0,
  unsubscribed: 0,
  firstEventAt: null,
  lastEventAt: null,
};

export const statsView = (counts: SendCounts = NONE, versions: readonly VersionCounts[] = []) => ({
  ...STATS.view(counts, {}),
  by_version: versions.map((one) => OF_VERSION.view(one, {})),
});

/** The statistics of issues or broadcasts, by their id, in two statements for all of them. */
export async function statsOfOwners(
  db: Db,
  workspaceId: string,
  owners: readonly { id: string; sendId: string | null }[],
): Promise<ReadonlyMap<string, BulkStats>> {
  const sendIds = owners.map(({ sendId }) => sendId).filter((id) => id !== null);
  if (sendIds.length === 0) return new Map(owners.map(({ id }) => [id, statsView()]));
  const counts = await countsOfSends(db, workspaceId, sendIds);
  const versions = Map.groupBy(await sumCountsByVersion(db, workspaceId, sendIds), (one) => one.sendId);
  return new Map(
    owners.map(({ id, sendId }) => [
      id,
      sendId === null ? statsView() : statsView(counts.get(sendId), versions.get(sendId)),
    ]),
  );
}
