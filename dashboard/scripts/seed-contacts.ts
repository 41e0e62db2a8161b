/** Contacts with properties, lists, segments and a bulk change, for the pictures of the pages. */
import assert from 'node:assert/strict';
import { until } from '../../server/test/harness/until.ts';
import type { RunningDashboard } from '../test/harness/dashboard.ts';

export type ContactIds = Readonly<Record<'contact' | 'leaver' | 'list' | 'emptyList' | 'segment' | 'bulkJob', string>>;

/** Answers of our own API, in the fields that are read here. */
interface Answered {
  id: string;
  status: string;
}

const NAMES = ['Ada Lovelace', 'Grace Hopper', 'Zoë Müller', 'Đặng Thị Hương', 'Síle O’Brien', 'José Pérez', '李 娜'];
const PLANS = ['pro', 'free', 'trial'];

export async function seedContacts({ posthorn }: RunningDashboard): Promise<ContactIds> {
  const read = async (path: string) => (await posthorn.fetch(path)).body as Answered;
  const make = async (path: string, body: unknown): Promise<Answered> => {
    const answer = await posthorn.fetch(path, { method: 'POST', body });
    assert.ok(answer.status < 300, `POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as Answered;
  };
  const contacts = Array.from({ length: 140 }, (_, at) => {
    const [first = '', last = ''] = (NAMES[at % NAMES.length] ?? '').split(' ');
    return {
      email:
        at % 40 === 9
          ? `a.very.long.address.of.a.department.${at}@accounts.example-company.com`
          : `person.${at}@example.com`,
      first_name: first,
      last_name: last,
      timezone: at % 2 === 0 ? 'Europe/Berlin' : null,
      properties: {
        plan: PLANS[at % PLANS.length],
        seats: (at * 7) % 23,
        ...(at % 5 === 0 ? { vip: true, since: '2026-02-14' } : {}),
      },
    };
  });
  await make('/v1/contacts/batch', { contacts });
  const customers = await make('/v1/lists', { name: 'Customers', description: 'Everybody with an order' });
  const emptyList = await make('/v1/lists', {
    name: 'Guests of the opening in spring, who left their cards at the door',
  });
  const guests = await make('/v1/lists', { name: 'Guests' });
  await make(`/v1/lists/${customers.id}/contacts`, { emails: contacts.slice(0, 90).map(({ email }) => email) });
  await make(`/v1/lists/${guests.id}/contacts`, { emails: contacts.slice(0, 12).map(({ email }) => email) });
  await make('/v1/contacts/person.4@example.com/unsubscribe', {});
  const pros = await make('/v1/segments', {
    name: 'Pros',
    filter: { match: 'all', conditions: [{ field: 'property:plan', op: 'equals', value: 'pro' }] },
  });
  const segment = await make('/v1/segments', {
    name: 'Customers to write to about the new seats',
    filter: {
      match: 'all',
      conditions: [
        { field: `list:${customers.id}`, op: 'is_true' },
        { field: 'unsubscribed', op: 'is_false' },
        {
          match: 'any',
          conditions: [
            { field: `segment:${pros.id}`, op: 'is_true' },
            { field: 'property:seats', op: 'gt', value: 10 },
            {
              match: 'all',
              conditions: [
                { field: 'opened', op: 'at_least', count: 2, within: '30 days' },
                { field: 'created_at', op: 'after', value: '2026-01-01' },
              ],
            },
          ],
        },
      ],
    },
  });
  const job = await make('/v1/contacts/bulk', {
    filter: { match: 'all', conditions: [{ field: 'property:plan', op: 'equals', value: 'trial' }] },
    action: { type: 'update', set: { properties: { plan: 'free' } } },
  });
  await until('the bulk change ends', async () => (await read(`/v1/contacts/bulk/${job.id}`)).status === 'completed');
  for (const subject of ['Your receipt', 'Your seats end next week'])
    await make('/v1/send', {
      from: 'Shop <shop@posthorn.test>',
      to: 'person.10@example.com',
      subject,
      text: 'Thank you.',
    });
  return {
    contact: (await read('/v1/contacts/person.10@example.com')).id,
    leaver: (await read('/v1/contacts/person.4@example.com')).id,
    list: customers.id,
    emptyList: emptyList.id,
    segment: segment.id,
    bulkJob: job.id,
  };
}
