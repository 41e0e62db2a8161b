import { SANDBOX_DOMAIN } from '#features/domains';
import type { Settings } from '#platform/config/settings.ts';
import type { Db } from '#platform/db/database.ts';
import type { GetEmailIdentityResponse } from '@aws-sdk/client-sesv2';
import type { SesInspector } from '#providers/ses/ses-inspector.ts';
import { IDENTITY } from './about-ses.ts';
import { type Asked, askSes } from './ask-ses.ts';
import { type Finding, ok, skipped, trouble } from '../finding.ts';
import { countReadyIdentities, listSenderDomains } from '../queries.ts';

/** SES answers about one such question a second without complaint. */
const domainsMax = 20;

interface Deps {
  db: Db;
  settings: Settings;
  inspector: SesInspector;
  region: string;
}

export interface Identities {
  findings: Finding[];
  /** The configuration set that each identity has of its own; null: none. */
  defaultSets: (string | null)[];
}

/**
 * One finding for each domain that is not well, or one that says that all are. Domains whose identity Posthorn keeps
 * itself have been verified in their own region, and their checks look again every six hours.
 */
export async function checkIdentities({ db, settings, inspector, region }: Deps): Promise<Identities> {
  const domains = [...new Set([...settings.senderDomains, ...(await listSenderDomains(db, SANDBOX_DOMAIN))])];
  const ready = await countReadyIdentities(db);
  const kept = ready === 0 ? '' : `${ready} of the API, each in its region.`;
  if (domains.length === 0) {
    const finding =
      ready === 0 ? skipped(IDENTITY, 'No domain is set up to send from.') : ok(IDENTITY, `Verified: ${kept}`);
    return { findings: [finding], defaultSets: [] };
  }
  const findings: Finding[] = [];
  const defaultSets: (string | null)[] = [];
  for (const domain of domains.slice(0, domainsMax)) {
    const asked = await findIdentity(inspector, domain);
    const finding = judge(domain, asked, region);
    if (finding !== undefined) findings.push(finding);
    if ('answer' in asked) defaultSets.push(asked.answer.ConfigurationSetName ?? null);
  }
  const looked = domains.slice(0, domainsMax).join(', ');
  const more = domains.length > domainsMax ? ` ${domains.length - domainsMax} more were not looked at.` : '';
  if (findings.length === 0)
    findings.push(ok(IDENTITY, `Verified: ${looked}.${more}${kept === '' ? '' : ` And ${kept}`}`));
  return { findings, defaultSets };
}

/** A verified domain covers those below it (Amazon SES Developer Guide, "Verified identities"). */
async function findIdentity(inspector: SesInspector, domain: string): Promise<Asked<GetEmailIdentityResponse>> {
  const labels = domain.split('.');
  let asked: Asked<GetEmailIdentityResponse> | undefined;
  for (let from = 0; from < labels.length - 1; from += 1) {
    asked = await askSes(inspector.identity(labels.slice(from).join('.')));
    if (!('refusal' in asked) || asked.refusal !== 'not found') return asked;
  }
  return asked ?? { refusal: 'not found', words: `Email identity ${domain} does not exist.` };
}

function judge(domain: string, asked: Asked<GetEmailIdentityResponse>, region: string): Finding | undefined {
  if ('answer' in asked) {
    if (asked.answer.VerifiedForSendingStatus === true) return undefined;
    return trouble(IDENTITY, 'unverified', `${domain}: ${asked.answer.VerificationStatus ?? 'not verified'}.`);
  }
  if (asked.refusal === 'not found') return trouble(IDENTITY, 'missing', `${domain}: ${asked.words}`, { region });
  return trouble(IDENTITY, asked.refusal === 'denied' ? 'denied' : 'unknown', `${domain}: ${asked.words}`);
}
