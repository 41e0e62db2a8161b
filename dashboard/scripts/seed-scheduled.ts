/** Scheduled emails for the pictures of the pages: some of each state, a full day, and one in another zone. */
import assert from 'node:assert/strict';
import type { RunningDashboard } from '../test/harness/dashboard.ts';

export type ScheduledIds = Readonly<Record<'later' | 'laterCancelled' | 'laterOfTemplate', string>>;

const DAY_MS = 86_400_000;

const HTML = `<h1>See you tomorrow</h1>
<p>Your class <b>Bread for beginners</b> begins at ten. Bring an apron, and come hungry.</p>
<p><a href="https://example.com/way">The way to the workshop</a></p>
`;

/** Begins on the day of the issue that the other seed has scheduled. */
export async function seedScheduled({ posthorn }: RunningDashboard, templateId: string): Promise<ScheduledIds> {
  const send = async (path: string, body: unknown, method = 'POST'): Promise<string> => {
    const answer = await posthorn.fetch(`/v1/scheduled${path}`, { method, body });
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return (answer.body as { id: string }).id; // an answer of our own API
  };
  const from = 'Acme Kitchen <hello@posthorn.test>';
  const dayAfter = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
  const at = (days: number, clock: string) => ({ scheduled_for: `${dayAfter(days)}T${clock}:00Z` });
  const email = (subject: string, to: string | string[]) => ({ from, to, subject, html: HTML });
  for (const [index, subject] of [
    'Your invoice',
    'Rate your class',
    'A table for four',
    'Password expires',
  ].entries()) {
    await send('', { ...email(subject, `guest-${index}@example.com`), ...at(3, `1${index}:30`) });
  }
  await send('', { ...email('Weekly report', ['ada@example.com', 'grace@example.com']), ...at(5, '07:00') });
  await send('', {
    ...email('The summer begins: everything that is planned for June', 'jo@example.com'),
    ...at(9, '16:45'),
  });
  const waiting = await send('', {
    ...email('See you tomorrow', ['ada@example.com', 'grace@example.com', 'zoe@example.com']),
    reply_to: ['kitchen@posthorn.test'],
    tags: [{ name: 'kind', value: 'reminder' }],
    attachments: [{ filename: 'recipe.txt', content: 'AAEC', contentType: 'text/plain' }],
    scheduled_for: `${dayAfter(3)}T09:00:00`,
    timezone: 'America/New_York',
  });
  await send(`/${waiting}`, { subject: 'See you tomorrow at ten' }, 'PATCH');
  await send(
    `/${waiting}/reschedule`,
    { scheduled_for: `${dayAfter(2)}T09:00:00`, timezone: 'America/New_York' },
    'PATCH',
  );
  const ofTemplate = await send('', {
    from,
    to: 'ada@example.com',
    templateId,
    variables: { name: 'Ada', order: { number: '1042', total: '24 €', items: [] }, shop: 'Acme' },
    ...at(6, '12:00'),
  });
  const stopped = await send('', { ...email('A mistake', 'bob@example.com'), ...at(4, '12:00') });
  await send(`/${stopped}`, undefined, 'DELETE');
  const now = await send('', { ...email('Sent at once', 'bob@example.com'), ...at(4, '12:00') });
  await send(`/${now}/send-now`, undefined);
  return { later: waiting, laterCancelled: stopped, laterOfTemplate: ofTemplate };
}
