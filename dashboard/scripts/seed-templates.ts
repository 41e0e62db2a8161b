/** Templates for the pictures of the pages: a layout, one that is made of it with several versions, and a draft. */
import assert from 'node:assert/strict';
import { STARTERS } from '../src/pages/templates/starters.ts';
import type { RunningDashboard } from '../test/harness/dashboard.ts';

export type TemplateIds = Readonly<Record<'template' | 'layout', string>>;

export async function seedTemplates({ posthorn }: RunningDashboard): Promise<TemplateIds> {
  const send = async (path: string, body: unknown, method = 'POST'): Promise<string> => {
    const answer = await posthorn.fetch(`/v1/templates${path}`, { method, body });
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return (answer.body as { id: string }).id; // an answer of our own API
  };
  const [welcome, receipt, frame] = STARTERS.map(({ content }) => content);
  const layout = await send('', { ...frame, name: 'Frame of every mail', alias: 'frame' });
  await send('', { ...welcome, name: 'Welcome to the workshop', alias: 'welcome', publish: false });
  const template = await send('', { ...receipt, name: 'Receipt of an order, with every line of it', alias: 'receipt' });
  await send(
    `/${template}`,
    {
      html: `${receipt?.html ?? ''}<p>Your plan: {{ plan }}</p>\n`,
      subject: 'Your receipt {{ order.number }} of {{ shop }}',
      from: 'Shop <shop@posthorn.test>',
      layout: 'frame',
      variables: [
        { key: 'plan', fallback: 'Free' },
        { key: 'order.items', type: 'list', required: true },
      ],
      samples: [{ ...receipt?.samples?.[0], variables: { ...receipt?.samples?.[0]?.variables, shop: 'Acme' } }],
    },
    'PATCH',
  );
  await send(
    `/${template}`,
    { subject: 'Thank you: receipt {{ order.number }} of {{ shop }}', publish: false },
    'PATCH',
  );
  return { template, layout };
}
