import type { Settings } from '#platform/config/settings.ts';
import type { Newsletter } from '../../newsletter.ts';
import { type HumanProof, humanProofOf, type ProofSettings } from '../human-proof/proof-services.ts';

/** The public fields of a newsletter: what its own page shows. */
export const publicNewsletterView = (
  settings: Pick<Settings, 'dashboardUrl'> & ProofSettings,
  newsletter: Newsletter,
) => ({
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
  human_proof: proofView(humanProofOf(settings)),
  subscribe_url: `${settings.dashboardUrl}/n/${newsletter.slug}`,
  archive_url: newsletter.archiveEnabled ? `${settings.dashboardUrl}/n/${newsletter.slug}/archive` : null,
});

const proofView = (proof: HumanProof | null) =>
  proof === null ? null : { service: proof.name, site_key: proof.siteKey };
