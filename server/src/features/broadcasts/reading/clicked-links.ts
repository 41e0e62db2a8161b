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
          leads_to: nullable(
            Type.String({ description: 'Where it leads since it was redirected; null: to its own address.' }),
          ),
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

export const RedirectLinkBody = Type.Object({
  from: Type.String({
    minLength: 1,
    maxLength: 4_000,
    description: 'A link as `GET …/clicked-links` lists it.',
    examples: ['https://example.com/sale'],
  }),
  to: Type.String({
    minLength: 1,
    maxLength: 2_000,
    description: 'An address of the web. The same as `from` takes the redirect back.',
    examples: ['https://example.com/sale-2026'],
  }),
});

/** The links of a broadcast in their order. None before it is sent, or without tracking of clicks. */
export async function readClickedLinks(db: Db, { workspaceId, sendId }: BroadcastSummary) {
  const found = sendId === null ? undefined : await bulkSends.linksOf(db, { workspaceId, sendId });
  return {
    data: (found?.links ?? []).map(({ url, leadsTo, clicks, clicked }) => ({
      url,
      leads_to: leadsTo,
      clicks,
      unique_clicks: clicked,
    })),
    counted_since: found?.countedSince ?? null,
  };
}
