import type { ScheduledEmail } from '../../api/generated/types.gen.ts';
import { actionWords } from '../../lib/action-words.ts';
import { changesOf } from '../../lib/changed-fields.ts';
import { exactTime } from '../../lib/time.ts';
import { JsonView } from '../../ui/code/JsonView.tsx';
import { ChangedFields } from '../../ui/data/ChangedFields.tsx';
import type { TimeLineEntry } from '../../ui/data/TimeLine.tsx';
import { Mono } from '../../ui/Mono.tsx';
import type { Tone } from '../../ui/StatusBadge.tsx';
import { ownEntry } from '../../lib/own-entry.ts';

const WORDS: Readonly<Record<string, { title: string; tone?: Tone }>> = {
  created: { title: 'Scheduled', tone: 'info' },
  updated: { title: 'Content changed' },
  rescheduled: { title: 'Moved to another time', tone: 'info' },
  send_now: { title: 'Asked to be sent now', tone: 'info' },
  send_started: { title: 'Sending began', tone: 'warn' },
  cancelled: { title: 'Cancelled' },
  sent: { title: 'Sent', tone: 'ok' },
  failed: { title: 'Failed', tone: 'bad' },
};

/** The changes to it, newest first. */
export const timeLineOf = ({ audit_log: log }: Pick<ScheduledEmail, 'audit_log'>): TimeLineEntry[] =>
  log.toReversed().map(({ at, action, details = {} }, index) => ({
    id: `${at} ${index}`,
    at,
    title: ownEntry(WORDS, action)?.title ?? actionWords(action),
    tone: ownEntry(WORDS, action)?.tone ?? 'quiet',
    ...(Object.keys(details).length === 0 ? {} : { detail: <Detail details={details} /> }),
  }));

function Detail({ details }: { details: Readonly<Record<string, unknown>> }) {
  const { fields } = details;
  if (Array.isArray(fields)) {
    const changes = changesOf(details) ?? {};
    const others = fields.filter((field) => !(String(field) in changes));
    return (
      <>
        {Object.keys(changes).length > 0 && <ChangedFields changes={changes} />}
        {others.length > 0 && <p>Changed, without the words: {others.join(', ')}</p>}
      </>
    );
  }
  const { scheduled_for: at, from, to, error, cancelled_by: by, message_id: messageId } = details;
  if (typeof error === 'string') return error;
  if (typeof at === 'string') return `For ${exactTime(at)}`;
  if (typeof from === 'string' && typeof to === 'string') return `From ${exactTime(from)} to ${exactTime(to)}`;
  if (typeof by === 'string') return `By ${actionWords(by.split(':')[0] ?? '')}`;
  if (typeof messageId === 'string') return <Mono>{messageId}</Mono>;
  return <JsonView value={details} label="details" />;
}
