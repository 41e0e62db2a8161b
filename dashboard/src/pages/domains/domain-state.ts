import type { DkimStatus, DnsRecord, Domain } from '../../api/generated/types.gen.ts';
import { SANDBOX_DOMAIN } from '../../lib/mail/sandbox-domain.ts';
import type { Tone } from '../../ui/StatusBadge.tsx';

export const isSandbox = ({ domain }: { domain: string }): boolean => domain === SANDBOX_DOMAIN;

export const STATES: Readonly<Record<DkimStatus, { label: string; tone: Tone }>> = {
  pending: { label: 'Waiting for DNS', tone: 'info' },
  verified: { label: 'Verified', tone: 'ok' },
  failed: { label: 'Not verified', tone: 'bad' },
  temporary_failure: { label: 'No certain answer', tone: 'warn' },
};

export const STATE_OPTIONS = Object.entries(STATES).map(([value, { label }]) => ({ value, label }));

type Judged = Pick<
  Domain,
  'domain' | 'dkim_status' | 'failure_reason' | 'last_checked_at' | 'next_check_at' | 'verified_at' | 'dns_records'
>;

export interface Next {
  tone: Tone;
  title: string;
  text: string;
}

const LOOKS =
  'Posthorn looks for the records every 15 minutes for 72 hours, and writes to the owners of the workspace when it ' +
  'finds them. Each check of yours begins the 72 hours again.';

const LOOKS_NO_MORE =
  'The 72 hours in which Posthorn looked for the records by itself are over. A check of yours begins them again.';

/** The state of a domain and what happens next, in words. */
export function whatNext(domain: Judged): Next {
  const looks = domain.next_check_at === null ? LOOKS_NO_MORE : LOOKS;
  if (isSandbox(domain)) {
    return {
      tone: 'info',
      title: 'This domain belongs to the installation.',
      text: 'It is for trying things out. It stands in no DNS, so providers refuse mail from it. Add a domain of your own to reach people.',
    };
  }
  if (domain.dkim_status === 'verified') return whenVerified(domain);
  if (domain.dkim_status === 'temporary_failure') {
    return {
      tone: 'warn',
      title: 'The DNS gave no certain answer.',
      text: `${domain.failure_reason ?? 'The servers did not answer, or did not agree.'} This is no failure: new records need some minutes until every server has them. If it stays so, ask the host of your DNS. ${looks}`,
    };
  }
  if (domain.verified_at !== null) {
    return {
      tone: 'bad',
      title: 'This domain can no longer send.',
      text: `Its DKIM record was not right at three checks over 24 hours. Mend what is marked below and check again: sending goes on by itself. Issues from it wait for 72 hours. ${looks}`,
    };
  }
  if (domain.last_checked_at === null) {
    return {
      tone: 'info',
      title: 'Publish these records where the DNS of your domain is.',
      text: `That is often where you bought it. The ${required(domain.dns_records)} must be there before the domain can send; the others are good to have. ${looks}`,
    };
  }
  const wrong = domain.dns_records.filter(({ status, required: isNeeded }) => isNeeded && status !== 'found');
  if (wrong.length === 0) {
    return {
      tone: 'bad',
      title: 'The records are right, and the domain is not verified.',
      text: domain.failure_reason ?? looks,
    };
  }
  return {
    tone: wrong.every(({ status }) => status === 'missing') ? 'info' : 'bad',
    title:
      wrong.length === 1
        ? 'One record is not as it should be yet.'
        : `${wrong.length} records are not as they should be yet.`,
    text: `Each one below says what is wrong. ${looks}`,
  };
}

function whenVerified({ domain, failure_reason: reason }: Judged): Next {
  if (reason === null) {
    return {
      tone: 'ok',
      title: `You can send from every address at ${domain}.`,
      text: 'Leave the records in place. Posthorn checks them every six hours; one failed check stops nothing.',
    };
  }
  return {
    tone: 'warn',
    title: 'The domain still sends, but its last check failed.',
    text: `${reason} After three failed checks in a row over 24 hours it stops sending.`,
  };
}

/** "DKIM and SPF records". */
function required(records: readonly DnsRecord[]): string {
  const names = [...new Set(records.filter((one) => one.required).map(({ purpose }) => purpose.toUpperCase()))];
  return `${names.join(' and ')} ${names.length === 1 ? 'record' : 'records'}`;
}

/** How often the page asks again: a domain that waits for its DNS becomes verified while somebody looks. */
export const pollMsOf = ({ dkim_status: status }: Pick<Domain, 'dkim_status'>): number =>
  status === 'verified' ? 60_000 : 4_000;
