import type { Settings } from '#platform/config/settings.ts';
import type { Newsletter } from '../../newsletter.ts';

/** The public fields of a newsletter: what its own page shows. */
export const publicNewsletterView = ({ dashboardUrl }: Pick<Settings, 'dashboardUrl'>, newsletter: Newsletter) => ({
  slug: newsletter.slug,
  name: newsletter.name,
  description: newsletter.description,
  language: newsletter.language,
  accent_color: newsletter.accentColor,
  logo_url: newsletter.logoUrl,
  double_opt_in: newsletter.doubleOptIn,
  signup_enabled: newsletter.signupEnabled,
  archive_enabled: newsletter.archiveEnabled,
  ask_name: newsletter.askName,
  subscribe_url: `${dashboardUrl}/n/${newsletter.slug}`,
  archive_url: newsletter.archiveEnabled ? `${dashboardUrl}/n/${newsletter.slug}/archive` : null,
});
