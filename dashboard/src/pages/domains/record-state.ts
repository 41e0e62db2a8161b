import type { DnsRecord } from '../../api/generated/types.gen.ts';
import { dayOf, duration } from '../../lib/time.ts';
import type { Tone } from '../../ui/StatusBadge.tsx';

interface PurposeWords {
  label: string;
  why: string;
}

export const PURPOSES: Readonly<Record<DnsRecord['purpose'], PurposeWords>> = {
  dkim: { label: 'DKIM', why: 'The key that receivers check the signature of your mail with.' },
  spf: { label: 'SPF', why: 'The servers that may send for the domain.' },
  mx: { label: 'Feedback', why: 'Takes the feedback of mailboxes. Sending does not need it.' },
  dmarc: { label: 'DMARC', why: 'Tells receivers how to treat mail that only claims to be yours.' },
  inbound: { label: 'Inbound', why: 'Brings mail to the domain here.' },
  bimi: { label: 'BIMI', why: 'The logo beside your mail.' },
};

const KEYS = { next: ', next key', former: ', former key' } as const;

/** "DKIM", and "DKIM, next key" while a key is rotated. */
export const labelOf = ({ purpose, dkim_key: key }: Pick<DnsRecord, 'purpose' | 'dkim_key'>): string =>
  PURPOSES[purpose].label + (key === 'next' || key === 'former' ? KEYS[key] : '');

type Judged = Pick<DnsRecord, 'purpose' | 'status' | 'required'>;

/** The state of a record. A record that nobody needs does not fail. `receives`: mail has come by the domain's MX. */
export function recordState({ purpose, status, required }: Judged, receives = false): { label: string; tone: Tone } {
  switch (status) {
    case 'pending':
      if (receives && purpose === 'inbound') return { label: 'In use', tone: 'ok' };
      return { label: 'Not checked yet', tone: 'quiet' };
    case 'found':
      return { label: 'Found', tone: 'ok' };
    case 'temporary_failure':
      return { label: 'No certain answer', tone: 'warn' };
    case 'missing':
      return required ? { label: 'Missing', tone: 'bad' } : { label: 'Not published', tone: 'quiet' };
    case 'mismatch':
      if (purpose === 'mx') return { label: 'Leave it out', tone: 'warn' };
      return { label: 'Different', tone: required ? 'bad' : 'warn' };
    case 'duplicate':
      return { label: 'Several', tone: required ? 'bad' : 'warn' };
  }
}

/** The domain receives mail somewhere: our MX in its place would lose it. */
export const mustNotReplace = ({ purpose, status }: Judged): boolean => purpose === 'mx' && status === 'mismatch';

type Found = Pick<DnsRecord, 'purpose' | 'status' | 'found_value' | 'value'>;

/** A policy or a list of senders that is right, and more than the value to publish: to copy that would lose it. */
export const otherThanWanted = ({ purpose, status, found_value: found, value }: Found): string | null =>
  (purpose === 'spf' || purpose === 'dmarc') && status === 'found' && found !== value ? found : null;

type Needed = Pick<DnsRecord, 'purpose' | 'required' | 'dkim_key' | 'needed_until'>;

/** Whether a record has to be published. */
export function needOf({ purpose, required, dkim_key: key, needed_until: until }: Needed): string {
  if (key === 'next') return 'Required for the next key';
  if (key === 'former' && until !== null) return `Required until ${dayOf(until)}`;
  return required ? 'Required' : purpose === 'inbound' ? 'Required to receive' : 'Optional';
}

/** A key of a record in a check, such as `dkim posthorn1`, in words. */
export function labelOfKey(key: string): string {
  const [purpose = '', ...rest] = key.split(' ');
  const { label } = PURPOSES[purpose as DnsRecord['purpose']] ?? { label: purpose }; // a new purpose shows its own name
  return purpose === 'dkim' && rest.length > 0 ? `${label} (${rest.join(' ')})` : label;
}

/** An MX record in the two fields that hosts of DNS zones ask for. */
export const mailServerOf = ({ value }: Pick<DnsRecord, 'value'>): string => value.replace(/^\d+\s+/, '');

/** A TXT value as a zone file writes it. */
export const asZoneStrings = ({ strings }: Pick<DnsRecord, 'strings'>): string =>
  strings.map((part) => `"${part.replaceAll(/(["\\])/g, '\\$1')}"`).join(' ');

/** "1 h", "5 min", "1 h 30 min". */
export const ttlWords = (seconds: number): string => duration(seconds * 1_000).replace(/ 0 (?:min|s)$/, '');
