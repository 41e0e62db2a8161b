import { type BimiFault, faultsOf } from './fault.ts';
import { readTags } from './read-tags.ts';

/** A DMARC record as it is in the DNS, and the name at which it was found. */
export interface FoundPolicy {
  name: string;
  record: string;
}

const REMEDY = 'Publish p=quarantine or p=reject, without sp=none and without a pct below 100.';

/**
 * All reasons for which the DMARC policies of a domain keep its logo from being shown: the policy of the domain itself,
 * and the one of its organizational domain where that is another (draft-brand-indicators-for-message-identification
 * §7.1, steps 7 to 9). `found` holds both; it is empty where there is none.
 */
export function judgeDmarc(domain: string, found: readonly FoundPolicy[]): BimiFault[] {
  const faults: BimiFault[] = [];
  const note = faultsOf('dmarc', faults);
  if (found.length === 0) {
    note('dmarc_missing', `_dmarc.${domain}`, 'The domain has no DMARC record.', `Publish one. ${REMEDY}`);
  }
  for (const { name, record } of found) {
    const tags = readTags(record);
    const policy = (tags.get('p') ?? 'none').toLowerCase();
    if (policy !== 'quarantine' && policy !== 'reject') {
      note('dmarc_not_enforced', name, `The DMARC policy is p=${policy}, which enforces nothing.`, REMEDY);
    }
    if (tags.get('sp')?.toLowerCase() === 'none') {
      note('dmarc_subdomains', name, 'The DMARC policy leaves out subdomains (sp=none).', 'Remove sp=none.');
    }
    const percent = tags.get('pct');
    if (policy === 'quarantine' && percent !== undefined && Number(percent) !== 100) {
      note('dmarc_percent', name, `The DMARC policy applies to ${percent} percent of the mail.`, 'Remove pct.');
    }
    if (tags.get('t')?.toLowerCase() === 'y') {
      note('dmarc_testing', name, 'The DMARC policy is in test mode (t=y).', 'Remove t=y.');
    }
  }
  return faults;
}
