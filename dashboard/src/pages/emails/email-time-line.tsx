import type { Email, EmailEvent, EmailExplanation } from '../../api/generated/types.gen.ts';
import { JsonView } from '../../ui/code/JsonView.tsx';
import type { TimeLineEntry } from '../../ui/data/TimeLine.tsx';
import type { Tone } from '../../ui/StatusBadge.tsx';
import classes from './emails.module.css';

/** The name of each event, and its tone. */
const EVENTS: Readonly<Record<EmailEvent['type'], { title: string; tone: Tone }>> = {
  send: { title: 'Accepted', tone: 'quiet' },
  delivery: { title: 'Delivered', tone: 'ok' },
  bounce: { title: 'Bounced', tone: 'bad' },
  complaint: { title: 'Marked as spam', tone: 'bad' },
  reject: { title: 'Rejected by the provider', tone: 'bad' },
  delivery_delay: { title: 'Delayed', tone: 'warn' },
  open: { title: 'Opened', tone: 'ok' },
  click: { title: 'Clicked', tone: 'ok' },
};

/**
 * Newest first: the explanation tells every record in words, and events add the answer of the provider. The event
 * `send` is the same record as "accepted".
 */
export function timeLineOf(email: Email, explanation: EmailExplanation | undefined): TimeLineEntry[] {
  const told = explanation?.timeline ?? [];
  const events = email.events
    .filter(({ type }) => type !== 'send')
    .map((event) => entryOf(event, told.find(({ at, what }) => what === event.type && at === event.at)?.detail ?? ''));
  const others = told
    .filter(({ what }) => !(what in EVENTS))
    .map(({ at, what, detail }, index) => ({
      id: `record ${index}`,
      at,
      title: `${what[0]?.toUpperCase() ?? ''}${what.slice(1)}`,
      ...(detail === null ? {} : { detail }),
    }));
  return [...others, ...events].reverse().sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
}

function entryOf({ id, type, at, event_data }: EmailEvent, words: string): TimeLineEntry {
  const { title, tone } = EVENTS[type];
  return {
    id,
    at,
    title,
    tone,
    detail: (
      <>
        {words}
        <details className={classes['raw']}>
          <summary>Answer of the provider</summary>
          <JsonView value={event_data} label="the event" maxHeight={320} />
        </details>
      </>
    ),
  };
}
