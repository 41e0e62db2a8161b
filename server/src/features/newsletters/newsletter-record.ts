import type { Newsletter } from './newsletter.ts';

/** Sums of changes, and what its issues say. */
export interface NewsletterCounts {
  pending: number;
  active: number;
  unsubscribed: number;
  issueCount: number;
  lastIssueSentAt: Date | null;
}

export type CountedNewsletter = Newsletter & NewsletterCounts;

/** Where its public pages are. */
const pagesOf = (dashboardUrl: string, slug: string) => ({
  subscribe_url: `${dashboardUrl}/n/${slug}`,
  embed_url: `${dashboardUrl}/n/${slug}/embed`,
  archive_url: `${dashboardUrl}/n/${slug}/archive`,
  feed_url: `${dashboardUrl}/n/${slug}/feed.xml`,
});

/** As lists show it. */
export const newsletterInList = (row: CountedNewsletter, dashboardUrl: string) => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  description: row.description,
  from_email: row.fromEmail,
  from_name: row.fromName,
  reply_to: row.replyTo,
  double_opt_in: row.doubleOptIn,
  accent_color: row.accentColor,
  logo_url: row.logoUrl,
  postal_address: row.postalAddress,
  timezone: row.timezone,
  language: row.language,
  track_opens: row.trackOpens,
  track_clicks: row.trackClicks,
  archive_enabled: row.archiveEnabled,
  unsubscribe_confirm_page: row.unsubscribeConfirmPage,
  signup_enabled: row.signupEnabled,
  redirect_origins: row.redirectOrigins,
  pending_purge_days: row.pendingPurgeDays,
  confirmations_paused_at: row.confirmationsPausedAt,
  subscriber_count: row.active,
  issue_count: row.issueCount,
  last_issue_sent_at: row.lastIssueSentAt,
  ...pagesOf(dashboardUrl, row.slug),
  created_at: row.createdAt,
  updated_at: row.updatedAt,
});

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
