import type { ScheduledEmailStatus, ScheduledEmailSummary } from '../../api/generated/types.gen.ts';
import { shownSubject } from '../../lib/blocks/shown-subject.ts';
import { counted } from '../../lib/number.ts';
import type { Tone } from '../../ui/StatusBadge.tsx';

export const STATES: Readonly<Record<ScheduledEmailStatus, { label: string; tone: Tone }>> = {
  scheduled: { label: 'Scheduled', tone: 'info' },
  processing: { label: 'Sending', tone: 'warn' },
  sent: { label: 'Sent', tone: 'ok' },
  failed: { label: 'Failed', tone: 'bad' },
  cancelled: { label: 'Cancelled', tone: 'quiet' },
};

/** Operations whose answers a change of a scheduled email makes stale. */
export const SCHEDULED_CHANGES = ['listScheduledEmails', 'getScheduledEmail', 'getCalendar'];

type Titled = Pick<ScheduledEmailSummary, 'subject' | 'template_id' | 'variables'>;

/**
 * Its subject, or what stands in for one. With a template or with variables, the subject is filled when the email
 * leaves; braces in any other are text.
 */
export function titleOf({ subject, template_id: templateId, variables }: Titled): string {
  if (subject === null) return templateId === null ? '(no subject)' : 'Subject of the template';
  const isFilled = templateId !== null || Object.keys(variables).length > 0;
  return isFilled ? shownSubject(subject) || 'Subject with variables' : subject;
}

type Addressed = Pick<ScheduledEmailSummary, 'to' | 'cc' | 'bcc'>;

/** "ada@example.com and 2 more". */
export function recipientsOf({ to, cc, bcc }: Addressed): string {
  const [first = '', ...others] = [...to, ...cc, ...bcc];
  return others.length === 0 ? first : `${first} and ${counted(others.length, 'other')}`;
}

/** Why nothing of it can be changed any more; the server says 409 then. */
export function whyClosed(status: ScheduledEmailStatus): string | undefined {
  if (status === 'scheduled') return undefined;
  if (status === 'cancelled') return 'It is cancelled.';
  return status === 'failed' ? 'It has failed.' : 'Sending has begun.';
}
