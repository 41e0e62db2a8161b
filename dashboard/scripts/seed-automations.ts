/** Automations for the pictures of the pages: one with people in it, one of whom it failed, and a disabled one. */
import assert from 'node:assert/strict';
import { until } from '../../server/test/harness/until.ts';
import type { RunningDashboard } from '../test/harness/dashboard.ts';

export type AutomationIds = Readonly<Record<'automation' | 'automationOff' | 'run' | 'runFailed', string>>;

const HTML = `<h1>Welcome, {{ name }}</h1>
<p>Your oven is on its way. Until then: <a href="https://example.com/flour">how to choose flour</a>.</p>
`;

interface Run {
  status: string;
  waits_for: string | null;
}

export async function seedAutomations({ posthorn }: RunningDashboard): Promise<AutomationIds> {
  const send = async (path: string, body: unknown): Promise<Record<string, unknown>> => {
    const answer = await posthorn.fetch(path, { method: 'POST', body });
    assert.ok(answer.status < 300, `POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as Record<string, unknown>; // an answer of our own API
  };
  const make = async (path: string, body: unknown): Promise<string> => String((await send(path, body))['id']);
  const template = await make('/v1/templates', {
    name: 'Welcome after an order',
    alias: 'welcome-order',
    subject: 'Welcome, {{ name }}',
    from: 'Acme Kitchen <hello@posthorn.test>',
    html: HTML,
    variables: [{ key: 'name', required: true }],
    publish: true,
  });
  const email = { template_id: template };
  const steps = [
    { key: 'welcome', type: 'send_email', config: { ...email, transactional: true } },
    {
      key: 'opened',
      type: 'wait_for_event',
      config: { event: 'email_opened', timeout: '3 days', on_timeout: 'remind' },
    },
    { key: 'is_pro', type: 'condition', config: { field: 'payload.plan', op: 'equals', value: 'pro', else: 'remind' } },
    { key: 'tell_sales', type: 'webhook', config: { url: 'https://example.com/hooks/sales' }, on_error: 'continue' },
    { key: 'morning', type: 'delay', config: { until_local: '09:00', timezone: 'Europe/Berlin' } },
    { key: 'remind', type: 'send_email', config: { ...email, subject: 'Did you try the oven?' } },
  ];
  const automation = await make('/v1/automations', {
    name: 'Welcome after the first order',
    trigger: { type: 'event:order.paid', filter: [{ field: 'payload.total', op: 'greater_than', value: 20 }] },
    reentry: 'after:30 days',
    goal: { type: 'email_clicked' },
    exit_on: [{ type: 'email_complained' }],
    steps,
  });
  const automationOff = await make('/v1/automations', {
    name: 'Goodbye to people who leave the letters',
    trigger: { type: 'newsletter_unsubscribed' },
    steps: [
      { key: 'wait', type: 'delay', config: { duration: '1 day' } },
      { key: 'goodbye', type: 'send_email', config: { ...email, transactional: true } },
    ],
  });
  const path = `/v1/automations/${automation}`;
  await send(`${path}/enable`, {});
  const enter = async (address: string, payload: object): Promise<string> =>
    String((await send(`${path}/runs`, { email: address, payload }))['run_id']);
  const runs = [];
  for (const [address, plan] of [
    ['ada@example.com', 'pro'],
    ['grace@example.com', 'free'],
    ['zoe@example.com', 'pro'],
  ] as const) {
    runs.push(await enter(address, { order_id: `A-${runs.length + 41}`, total: 80, plan, name: address.slice(0, 3) }));
  }
  const runFailed = await enter('nobody@example.com', { order_id: 'A-40', total: 25 });
  const [run = ''] = runs;
  const read = async (id: string) => (await posthorn.fetch(`${path}/runs/${id}`)).body as Run; // as above
  await until('a run that waits', async () => ((await read(run)).waits_for === null ? undefined : true));
  await until('a run that failed', async () => ((await read(runFailed)).status === 'failed' ? true : undefined));
  return { automation, automationOff, run, runFailed };
}
