import type { Newsletter, UpdateNewsletterRequest } from '../../../api/generated/types.gen.ts';

export const LANGUAGES = [
  { value: 'en', label: 'English' },
  { value: 'de', label: 'Deutsch' },
  { value: 'es', label: 'Español' },
  { value: 'fr', label: 'Français' },
  { value: 'pt', label: 'Português' },
  { value: 'ja', label: '日本語' },
];

/** Every field has the name of the API's, so that a refused one shows its own sentence. */
export interface NewsletterValues extends Record<string, unknown> {
  name: string;
  slug: string;
  description: string;
  from_email: string;
  from_name: string;
  reply_to: string;
  accent_color: string;
  logo_url: string;
  postal_address: string;
  language: string;
  timezone: string;
  double_opt_in: boolean;
  signup_enabled: boolean;
  ask_name: boolean;
  archive_enabled: boolean;
  archive_indexable: boolean;
  track_opens: boolean;
  track_clicks: boolean;
  unsubscribe_confirm_page: boolean;
  /** One in each line. */
  redirect_origins: string;
  /** Empty: the setting of the server. */
  pending_purge_days: string;
}

export const valuesOfNewsletter = (newsletter: Newsletter): NewsletterValues => ({
  name: newsletter.name,
  slug: newsletter.slug,
  description: newsletter.description ?? '',
  from_email: newsletter.from_email ?? '',
  from_name: newsletter.from_name ?? '',
  reply_to: newsletter.reply_to ?? '',
  accent_color: newsletter.accent_color ?? '',
  logo_url: newsletter.logo_url ?? '',
  postal_address: newsletter.postal_address ?? '',
  language: newsletter.language,
  timezone: newsletter.timezone,
  double_opt_in: newsletter.double_opt_in,
  signup_enabled: newsletter.signup_enabled,
  ask_name: newsletter.ask_name,
  archive_enabled: newsletter.archive_enabled,
  archive_indexable: newsletter.archive_indexable,
  track_opens: newsletter.track_opens,
  track_clicks: newsletter.track_clicks,
  unsubscribe_confirm_page: newsletter.unsubscribe_confirm_page,
  redirect_origins: newsletter.redirect_origins.join('\n'),
  pending_purge_days: newsletter.pending_purge_days === null ? '' : String(newsletter.pending_purge_days),
});

/** These cannot be empty: an empty one is sent as it is, and refused in words. */
const NEVER_NULL = new Set<string>(['name', 'slug']);

/** Only the fields that are different, so that two people who change different ones do not undo each other. */
export function changeOfNewsletter(values: NewsletterValues, before: NewsletterValues): UpdateNewsletterRequest {
  const change: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    if (value === before[name]) continue;
    if (name === 'redirect_origins') change[name] = linesOf(String(value));
    else if (name === 'pending_purge_days') change[name] = daysOf(String(value));
    else if (typeof value === 'string') {
      const text = value.trim();
      change[name] = text === '' && !NEVER_NULL.has(name) ? null : text;
    } else change[name] = value;
  }
  return change;
}

const linesOf = (text: string): string[] =>
  text
    .split(/\s+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Text that is no number is sent as it is, so that the server says what it takes. */
function daysOf(text: string): number | string | null {
  if (text.trim() === '') return null;
  const days = Number(text);
  return Number.isNaN(days) ? text : days;
}
