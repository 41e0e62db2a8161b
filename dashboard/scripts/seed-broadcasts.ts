/** Contacts, lists and broadcasts of every state for the pictures of the pages. */
import assert from 'node:assert/strict';
import { until } from '../../server/test/harness/until.ts';
import { importMarkdown } from '../src/lib/blocks/import-markdown.ts';
import { renderDocument } from '../src/lib/blocks/render.ts';
import type { RunningDashboard } from '../test/harness/dashboard.ts';

export type BroadcastIds = Readonly<
  Record<
    | 'broadcast'
    | 'broadcastDraft'
    | 'broadcastEmpty'
    | 'broadcastLater'
    | 'broadcastPaused'
    | 'broadcastFollowUp'
    | 'broadcastContact',
    string
  >
>;

const TEXT = `# The spring sale begins, {{ first_name | default: "friend" }}

Everything for the kitchen is **20 % off** until Sunday. Look at [the new pans](https://example.com/pans) first.

- Pans of cast iron
- Knives, and what keeps them sharp

Read [how we chose them](https://example.com/story).
`;

export async function seedBroadcasts({ posthorn }: RunningDashboard, newsletterId: string): Promise<BroadcastIds> {
  const call = async (path: string, body: unknown, method = 'POST') => {
    const answer = await posthorn.fetch(path, { method, body });
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as { id: string }; // an answer of our own API
  };
  const addresses = [
    ...Array.from({ length: 880 }, (_, index) => `guest-${index}@example.com`),
    'bounce+bc@simulator.amazonses.com',
    'complaint+bc@simulator.amazonses.com',
  ];
  const contacts = addresses.map((email, at) => ({ email, first_name: `Guest ${at}`, unsubscribed: at % 40 === 3 }));
  await call('/v1/contacts/batch', { contacts });
  const list = async (name: string, emails: readonly string[]) => {
    const { id } = await call('/v1/lists', { name });
    await call(`/v1/lists/${id}/contacts`, { emails });
    return id;
  };
  const everybody = await list('Guests of the workshop', addresses);
  const few = await list('Friends of the house', [...addresses.slice(0, 40), ...addresses.slice(-2)]);
  await list('Partners and everybody who has ever asked us for a catalogue by post', addresses.slice(0, 3));
  await call('/v1/segments', {
    name: 'Came in November',
    filter: { match: 'all', conditions: [{ field: 'email', op: 'contains', value: 'guest-1' }] },
  });
  await call('/v1/suppressions', { email: 'guest-7@example.com', reason: 'manual' });

  const make = async (name: string, listId: string) =>
    (
      await call('/v1/broadcasts', {
        name,
        from: 'Acme Kitchen <hello@posthorn.test>',
        subject: '{{ first_name | default: "Friend" }}, the spring sale begins',
        preheader: 'Twenty percent off until Sunday.',
        html: renderDocument(importMarkdown(TEXT).document, { brandColor: '#1f1f26' }),
        audience: { list_ids: [listId] },
        track_opens: true,
        track_clicks: true,
      })
    ).id;
  const sent = await make('Spring sale', few);
  await call(`/v1/broadcasts/${sent}/send`, {});
  const later = await make('Last day of the sale', everybody);
  await call(`/v1/broadcasts/${later}/send`, {
    scheduled_for: 'in 5 days',
    timezone: 'Europe/Berlin',
    finish_by: 'in 6 days',
  });
  const cancelled = await make('Opening hours at Easter', few);
  await call(`/v1/broadcasts/${cancelled}/send`, { scheduled_for: 'in 9 days' });
  await call(`/v1/broadcasts/${cancelled}/cancel`, {});
  const paused = await make('Classes of the summer: everything that is planned, with dates and prices', everybody);
  await call(`/v1/broadcasts/${paused}/send`, {});
  await call(`/v1/broadcasts/${paused}/pause`, {});
  const draft = await make('Thank you for coming', few);
  const { id: empty } = await call('/v1/broadcasts', { name: 'Ideas for May' });
  await until('the broadcast to be delivered', async () => {
    const { body } = await posthorn.fetch(`/v1/broadcasts/${sent}/stats`);
    return (body as { pending: number }).pending === 0 || undefined; // as above
  });
  const { body: links } = await posthorn.fetch(`/v1/broadcasts/${sent}/clicked-links`);
  const [link] = (links as { data: { url: string }[] }).data; // as above
  assert.ok(link);
  await call(`/v1/broadcasts/${sent}/links`, { from: link.url, to: `${link.url}-of-iron` }, 'PATCH');
  const followUp = await call('/v1/broadcasts', {
    name: 'The sale ends tonight',
    from: 'Acme Kitchen <hello@posthorn.test>',
    reply_to: ['help@posthorn.test'],
    subject: 'Six hours are left',
    html: '<p>Have you seen <a href="https://example.com/pans">the pans</a>?</p>',
    audience: { newsletter_id: newsletterId },
    follow_up_of: sent,
    tags: [{ name: 'campaign', value: 'spring' }],
  });
  const { body: found } = await posthorn.fetch('/v1/contacts?email=guest-1@example.com');
  const [contact] = (found as { data: { id: string }[] }).data; // as above
  assert.ok(contact);
  return {
    broadcast: sent,
    broadcastDraft: draft,
    broadcastEmpty: empty,
    broadcastLater: later,
    broadcastPaused: paused,
    broadcastFollowUp: followUp.id,
    broadcastContact: contact.id,
  };
}
