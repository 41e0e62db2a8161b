import { answerWords } from '../../lib/mail/smtp-answer.ts';
import type { Column } from '../list/columns.ts';
import { RelativeTime } from '../RelativeTime.tsx';
import { ENGAGEMENT_COLUMNS } from './engagement-columns.ts';
import { StatusBadge, type Tone } from '../StatusBadge.tsx';
import { ownEntry } from '../../lib/own-entry.ts';

interface RecipientRow {
  email: string;
  status: string;
  open_count: number;
  click_count: number;
  error: string | null;
  last_event_at: string | null;
}

const STATES: Readonly<Record<string, { label: string; tone: Tone }>> = {
  pending: { label: 'Waiting', tone: 'quiet' },
  queued: { label: 'Queued', tone: 'info' },
  sending: { label: 'Sending', tone: 'info' },
  unconfirmed: { label: 'No answer yet', tone: 'warn' },
  sent: { label: 'Sent', tone: 'info' },
  delivery_delayed: { label: 'Delayed', tone: 'warn' },
  delivered: { label: 'Delivered', tone: 'ok' },
  bounced: { label: 'Bounced', tone: 'bad' },
  complained: { label: 'Complained', tone: 'bad' },
  failed: { label: 'Failed', tone: 'bad' },
  suppressed: { label: 'Suppressed', tone: 'quiet' },
  cancelled: { label: 'Cancelled', tone: 'quiet' },
};
export const RECIPIENT_STATE_OPTIONS = Object.entries(STATES).map(([value, { label }]) => ({ value, label }));

/** The counts of the results: each lists as many as it says. */
export const RECIPIENT_COUNT_OPTIONS = [
  { value: 'delivered', label: 'Delivered' },
  { value: 'opened', label: 'Opened' },
  { value: 'clicked', label: 'Clicked' },
  { value: 'bounced', label: 'Bounced' },
  { value: 'complained', label: 'Complained' },
  { value: 'unsubscribed', label: 'Unsubscribed' },
  { value: 'pending', label: 'Not sent yet' },
  { value: 'sent', label: 'Sent' },
  { value: 'failed', label: 'Never sent' },
  { value: 'refused', label: 'Refused' },
];

/** The people that an issue or a broadcast went to. */
export const RECIPIENT_COLUMNS: readonly Column<RecipientRow>[] = [
  { id: 'email', header: 'Address', cell: ({ email }) => email },
  {
    id: 'status',
    header: 'State',
    width: '140px',
    cell: ({ status }) => (
      <StatusBadge tone={ownEntry(STATES, status)?.tone ?? 'quiet'}>
        {ownEntry(STATES, status)?.label ?? status}
      </StatusBadge>
    ),
  },
  ...ENGAGEMENT_COLUMNS,
  {
    id: 'error',
    header: 'Answer',
    width: '26%',
    priority: 3,
    onPhone: true,
    optional: 'shown',
    cell: ({ error }) => answerWords(error),
  },
  {
    id: 'last',
    header: 'Last event',
    width: '110px',
    align: 'right',
    priority: 2,
    onPhone: true,
    cell: ({ last_event_at }) => <RelativeTime at={last_event_at} inRow none="—" />,
  },
];
