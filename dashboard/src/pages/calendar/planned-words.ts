import type { PlannedMail } from '../../api/generated/types.gen.ts';
import { pb } from '../../lib/paths.ts';
import { shownSubject } from '../../lib/blocks/shown-subject.ts';
import { counted } from '../../lib/number.ts';
import type { Tone } from '../../ui/StatusBadge.tsx';

const STATES: Readonly<Record<string, { label: string; tone: Tone }>> = {
  scheduled: { label: 'Scheduled', tone: 'info' },
  processing: { label: 'Sending', tone: 'warn' },
  sending: { label: 'Sending', tone: 'warn' },
  sent: { label: 'Sent', tone: 'ok' },
  failed: { label: 'Failed', tone: 'bad' },
};

export const stateOf = ({ status }: PlannedMail): { label: string; tone: Tone } =>
  STATES[status] ?? { label: status, tone: 'quiet' };

export const titleOf = ({ subject }: PlannedMail): string =>
  subject === null ? 'Subject of the template' : shownSubject(subject) || '(no subject)';

/** Its list, or the people it goes to. */
export function audienceOf({ newsletter_name: list, to, recipients }: PlannedMail): string {
  if (list !== null) return list;
  const others = (recipients ?? 1) - 1;
  return others > 0 ? `${to ?? ''} and ${counted(others, 'other')}` : (to ?? '');
}

export const kindOf = ({ type }: PlannedMail): string => (type === 'issue' ? 'Issue' : 'Scheduled email');

export const hrefOf = ({ type, id, newsletter_id: newsletterId }: PlannedMail): string =>
  type === 'issue' && newsletterId !== null ? pb.issue(newsletterId, id) : pb.scheduledEmail(id);
