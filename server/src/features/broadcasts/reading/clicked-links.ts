import { Type } from 'typebox';
import { bulkSends } from '#features/outbox';
import type { Db } from '#platform/db/database.ts';
import { Instant, nullable } from '#platform/records/wire-types.ts';
import type { BroadcastSummary } from '../broadcast.ts';

/** The clicks of a broadcast by link, on the wire. */
export const ClickedLinks = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          url: Type.String({
            description: 'As it stands in the broadcast, with its variables.',
            examples: ['https://example.com/?plan={{ properties.plan }}'],
          }),
          clicks: Type.Integer({ description: 'Clicks of people.', examples: [71] }),
          unique_clicks: Type.Integer({ description: 'People who clicked, each once.', examples: [64] }),
        },
        { title: 'BroadcastLink', additionalProperties: false },
      ),
    ),
    counted_since: nullable(Instant),
  },
  { title: 'BroadcastLinks', additionalProperties: false },
);

/** The links of a broadcast in their order. None before it is sent, or without tracking of clicks. */
export async function readClickedLinks(db: Db, { workspaceId, sendId }: BroadcastSummary) {
  const found = sendId === null ? undefined : await bulkSends.linksOf(db, { workspaceId, sendId });
  return {
    data: (found?.links ?? []).map(({ url, clicks, clicked }) => ({ url, clicks, unique_clicks: clicked })),
    counted_since: found?.countedSince ?? null,
  };
}
