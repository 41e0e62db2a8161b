import type { PlannedMail } from '../../api/generated/types.gen.ts';
import { pb } from '../../lib/paths.ts';
import { shownSubject } from '../../lib/blocks/shown-subject.ts';
import { counted } from '../../lib/number.ts';
import type { Tone } from '../../ui/StatusBadge.tsx';
import { ownEntry } from '../../lib/own-entry.ts';

const STATES: Readonly<Record<string, { label: string; tone: Tone }>> = {
  scheduled: { label: 'Scheduled', tone: 'info' },
  processing: { label: 'Sending', tone: 'warn' },
  sending: { label: 'Sending', tone: 'warn' },
  sent: { label: 'Sent', tone: 'ok' },
  failed: { label: 'Failed', tone: 'bad' },
};

export const stateOf = ({ status }: PlannedMail): { label: string; tone: Tone } =>
  ownEntry(STATES, status) ?? { label: status, tone: 'quiet' };

export const titleOf = ({ type, name, subject }: PlannedMail): string =>
  type === 'broadcast' && name !== null && name !== ''
    ? name
    : subject === null
      ? 'Subject of the template'
      : shownSubject(subject) || '(no subject)';

/** Its list, or the people it goes to. */
export function audienceOf({ type, newsletter_name: list, to, recipients }: PlannedMail): string {
  if (list !== null) return list;
  if (type === 'broadcast') return 'contacts';
  const others = (recipients ?? 1) - 1;
  return others > 0 ? `${to ?? ''} and ${counted(others, 'other')}` : (to ?? '');
}

const KINDS = { issue: 'Issue', broadcast: 'Broadcast', scheduled_email: 'Scheduled email' } as const;
export const kindOf = ({ type }: PlannedMail): string => KINDS[type];

export const hrefOf = ({ type, id, newsletter_id: newsletterId }: PlannedMail): string =>
  type === 'broadcast'
    ? pb.broadcast(id)
    : type === 'issue' && newsletterId !== null
      ? pb.issue(newsletterId, id)
      : pb.scheduledEmail(id);
