import { Type } from 'typebox';
import { computed, kept, record, type Stored } from '#platform/records/record.ts';
import { Count, Instant, instant, nullable } from '#platform/records/wire-types.ts';
import type { SubscriberCounts } from './counts/counts-queries.ts';

export const Id = Type.String({ format: 'uuid', examples: ['0197f3d2-6c1e-7a50-9b1f-3f2f6f0c9a11'] });
const url = (example: string) => computed(Type.String({ examples: [example] }));
const Text = nullable(Type.String());

/** The fields that somebody sets. */
const settings = {
  name: Type.String({ examples: ['Acme Weekly'] }),
  slug: Type.String({ examples: ['acme-weekly'] }),
  description: Text,
  from_email: Text,
  from_name: Text,
  reply_to: Text,
  double_opt_in: Type.Boolean(),
  accent_color: Text,
  logo_url: Text,
  postal_address: Text,
  timezone: Type.String(),
  /** The name of a locale that there is. */
  language: Type.String({ examples: ['en'] }),
  track_opens: Type.Boolean(),
  track_clicks: Type.Boolean(),
  archive_enabled: Type.Boolean(),
  archive_indexable: Type.Boolean(),
  ask_name: Type.Boolean(),
  unsubscribe_confirm_page: Type.Boolean(),
  signup_enabled: Type.Boolean(),
  redirect_origins: Type.Array(Type.String()),
  /** null: the setting decides; 0: never. */
  pending_purge_days: nullable(Type.Integer()),
};
export const SETTINGS = Object.keys(settings);
export type Settable = Stored<typeof settings>;

const fields = {
  workspace_id: kept<string>(),
  id: Id,
  ...settings,
  confirmations_paused_at: nullable(
    instant(
      'Since this time, confirmation emails are paused, because sign-ups were unusually frequent. ' +
        '`resume-confirmations` sends them again.',
    ),
  ),
  subscriber_count: computed(
    Type.Integer({
      minimum: 0,
      description: 'Active subscribers: the ones who get issues.',
      examples: [4_812],
    }),
  ),
  issue_count: computed(Count),
  last_issue_sent_at: computed(nullable(Instant)),
  subscribe_url: url('https://app.example.com/n/acme-weekly'),
  embed_url: url('https://app.example.com/n/acme-weekly/embed'),
  archive_url: url('https://app.example.com/n/acme-weekly/archive'),
  feed_url: url('https://app.example.com/n/acme-weekly/feed.xml'),
  created_at: Instant,
  updated_at: Instant,
};

/** A newsletter as it is stored. */
export type Newsletter = Stored<typeof fields>;
export const NEWSLETTER = record(fields);

/** With sums of changes, and what its issues say. */
export type CountedNewsletter = Newsletter & SubscriberCounts & { issueCount: number; lastIssueSentAt: Date | null };

/** As lists show it. */
export function newsletterInList(row: CountedNewsletter, dashboardUrl: string) {
  const page = `${dashboardUrl}/n/${row.slug}`;
  return NEWSLETTER.view(row, {
    subscriber_count: row.active,
    issue_count: row.issueCount,
    last_issue_sent_at: row.lastIssueSentAt,
    subscribe_url: page,
    embed_url: `${page}/embed`,
    archive_url: `${page}/archive`,
    feed_url: `${page}/feed.xml`,
  });
}

/** As it is shown by itself. */
export const newsletterView = (row: CountedNewsletter, dashboardUrl: string) => ({
  ...newsletterInList(row, dashboardUrl),
  subscriber_counts: {
    total: row.pending + row.active + row.unsubscribed,
    active: row.active,
    pending: row.pending,
    unsubscribed: row.unsubscribed,
  },
});
