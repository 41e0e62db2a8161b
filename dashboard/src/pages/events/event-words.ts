import type { WebhookEvent } from '../../api/generated/types.gen.ts';
import { shownSubjectOf } from '../../lib/blocks/shown-subject.ts';
import type { Tone } from '../../ui/StatusBadge.tsx';
import { ownEntry } from '../../lib/own-entry.ts';

const TONES: Readonly<Record<string, Tone>> = {
  delivery: 'ok',
  bounce: 'bad',
  complaint: 'bad',
  reject: 'bad',
  delivery_delay: 'warn',
  open: 'info',
  click: 'info',
  'email.suppressed': 'warn',
  'newsletter.subscriber.confirmed': 'ok',
  'newsletter.subscriber.unsubscribed': 'warn',
};

export const toneOfEvent = (type: string): Tone =>
  ownEntry(TONES, type) ?? (type.endsWith('.failed') ? 'bad' : 'quiet');

/** The address or the name that an event is about, when it says one. */
export function subjectOf({ email, event_data: data }: Pick<WebhookEvent, 'email' | 'event_data'>): string | null {
  if (email !== undefined) return email.recipient;
  // A subscriber stands beside the newsletter, which has a name: an address says more than any name.
  for (const name of ['email', 'address', 'subject', 'name', 'domain']) {
    const found = firstText(data, name, 2);
    if (found !== null) return found;
  }
  return null;
}

export const subjectOfEmail = ({ email }: { email?: { subject: string; source: string | null } }): string | undefined =>
  email && shownSubjectOf(email);

function firstText(value: unknown, name: string, depth: number): string | null {
  if (typeof value !== 'object' || value === null || depth < 0) return null;
  const entries = Object.entries(value);
  const own = entries.find(([key]) => key === name)?.[1];
  if (typeof own === 'string') return own;
  for (const [, inner] of entries) {
    const found = firstText(inner, name, depth - 1);
    if (found !== null) return found;
  }
  return null;
}
