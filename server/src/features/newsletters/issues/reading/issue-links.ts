import { Type } from 'typebox';
import { bulkSends } from '#features/outbox';
import type { Db } from '#platform/db/database.ts';
import { Instant, nullable } from '#platform/records/wire-types.ts';
import type { IssueSummary } from '../issue.ts';

const counts = {
  clicks: Type.Integer({ description: 'Clicks of people.', examples: [71] }),
  clicked: Type.Integer({ description: 'People who clicked, each once.', examples: [64] }),
  clicks_machine: Type.Integer({ description: 'Clicks of machines, such as scanners.', examples: [12] }),
  clicked_machine: Type.Integer({ description: 'Recipients for whom a machine clicked.', examples: [9] }),
};

/** The clicks of an issue by link, on the wire. */
export const IssueLinks = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          number: Type.Integer({
            description: 'The place of the link in the issue, from 1, in the order in which links first appear.',
            examples: [1],
          }),
          url: Type.String({
            description: 'As it stands in the issue, with its variables.',
            examples: ['https://example.com/?plan={{ subscriber.metadata.plan }}'],
          }),
          leads_to: nullable(
            Type.String({ description: 'Where it leads since it was redirected; null: to its own address.' }),
          ),
          ...counts,
        },
        { title: 'IssueLink', additionalProperties: false },
      ),
    ),
    others: Type.Object(counts, {
      title: 'IssueLinkCounts',
      description: 'Clicks on addresses that do not stand in the issue: a template made them, or the link has changed.',
      additionalProperties: false,
    }),
    redirects: Type.Array(
      Type.Object(
        { from: Type.String({ description: 'As `url`.' }), to: Type.String({ description: 'As `leads_to`.' }) },
        { title: 'IssueLinkRedirect', additionalProperties: false },
      ),
      { description: 'The links that lead elsewhere since they were redirected.' },
    ),
    counted_since: nullable(Instant),
  },
  { title: 'IssueLinks', additionalProperties: false },
);

export const RedirectLinkBody = Type.Object({
  from: Type.String({
    minLength: 1,
    maxLength: 4_000,
    description: 'A link as `GET …/links` lists it.',
    examples: ['https://example.com/sale'],
  }),
  to: Type.String({
    minLength: 1,
    maxLength: 2_000,
    description: 'An address of the web. The same as `from` takes the redirect back.',
    examples: ['https://example.com/sale-2026'],
  }),
});

const NOTHING = { clicks: 0, clicked: 0, clicksMachine: 0, clickedMachine: 0 };

/** The links of an issue in their order, with their clicks. Without any before it is sent, or without tracking. */
export async function readIssueLinks(db: Db, { workspaceId, sendId }: IssueSummary) {
  const found = sendId === null ? undefined : await bulkSends.linksOf(db, { workspaceId, sendId });
  return {
    data: (found?.links ?? []).map(({ url, leadsTo, ...link }, index) => ({
      number: index + 1,
      url,
      leads_to: leadsTo,
      ...countsView(link),
    })),
    others: countsView(found?.others ?? NOTHING),
    redirects: (found?.links ?? []).flatMap(({ url, leadsTo }) =>
      leadsTo === null ? [] : [{ from: url, to: leadsTo }],
    ),
    counted_since: found?.countedSince ?? null,
  };
}

const countsView = ({ clicks, clicked, clicksMachine, clickedMachine }: typeof NOTHING) => ({
  clicks,
  clicked,
  clicks_machine: clicksMachine,
  clicked_machine: clickedMachine,
});
