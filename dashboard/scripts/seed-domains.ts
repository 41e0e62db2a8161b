/** Domains in every state that a DNS server on this machine can bring about, and sessions of the relay. */
import assert from 'node:assert/strict';
import type { Knot } from '../../server/test/harness/knot.ts';
import { connectRelay, relayClient, signInTo } from '../../server/test/harness/relay-client.ts';
import { until } from '../../server/test/harness/until.ts';
import type { RunningDashboard } from '../test/harness/dashboard.ts';
import { asOwner, callAs } from '../test/harness/people.ts';

export type DomainIds = Readonly<
  Record<'sandbox' | 'verified' | 'wrong' | 'waiting' | 'check' | 'session' | 'accepted', string>
>;

interface Answered {
  id: string;
  key: string;
  data: { id: string; domain: string; dns_records: { purpose: string; name: string; value: string }[] };
}

const MESSAGE = 'From: Acme <hello@posthorn.test>\r\nTo: ada@example.com\r\nSubject: By relay\r\n\r\nHello\r\n';

export async function seedDomains(
  running: RunningDashboard,
  { knot, relayPort }: { knot: Knot; relayPort: number },
): Promise<DomainIds> {
  const { posthorn } = running;
  const call = async (path: string, body?: unknown, method?: string): Promise<Answered> => {
    const answer = await posthorn.fetch(path, {
      ...(body === undefined ? {} : { body }),
      ...(method === undefined ? {} : { method }),
    });
    assert.ok(answer.status < 300, `${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as Answered;
  };
  const list = async (path: string) => (await posthorn.fetch(path)).body as { data: { id: string; domain: string }[] };
  const add = async (domain: string) => (await call('/v1/domains', { domain, region: 'eu-north-1' })).data;
  const verify = (id: string) => call(`/v1/domains/${id}/verify`, undefined, 'POST');

  const verified = await add('kitchen.test');
  for (const { purpose, name, value } of verified.dns_records) if (purpose !== 'mx') await knot.setText(name, [value]);
  await verify(verified.id);
  await call(`/v1/domains/${verified.id}/limits`, { maxDailyEmails: 5, maxMonthlyEmails: 10_000 }, 'PATCH');
  await call('/v1/send', {
    from: 'hello@kitchen.test',
    to: ['ada@example.com', 'grace@example.com', 'zoe@example.com', 'bob@example.com'],
    subject: 'From our own domain',
    text: 'Hello',
  });
  const { token } = await asOwner(running);
  await callAs(running, token, `/cloud-domains/${verified.id}/bimi`, {
    svgPath: 'logos/kitchen.svg',
    svgUrl: 'https://kitchen.example/logo.svg',
    vmcCertUrl: 'https://kitchen.example/mark.pem',
  });

  const waiting = await add('new.test');
  const wrong = await add('a-rather-long-name-of-a-domain.wrong.test');
  for (const { purpose, name, value } of wrong.dns_records) {
    if (purpose === 'dkim') await knot.setText(name, [value.slice(0, 255)]);
    if (purpose === 'spf') await knot.setText(name, ['v=spf1 include:_spf.google.com include:mail.zendesk.com ~all']);
    if (purpose === 'mx') await knot.set(name, 'MX', ['1 aspmx.l.google.com.', '5 alt1.aspmx.l.google.com.']);
  }
  await verify(wrong.id);

  const { key } = await call('/v1/api-keys', { name: 'Web shop, WordPress', scopes: ['emails:send'] });
  const refused = await relayClient(relayPort, key);
  await refused.send(MESSAGE, ['ada@example.com'], 'me@nowhere.example');
  refused.socket.destroy();
  const stranger = await connectRelay(relayPort);
  await signInTo(stranger, 'ph_live_wrong');
  stranger.socket.destroy();
  const accepted = await relayClient(relayPort, key);
  await accepted.send(MESSAGE);
  accepted.socket.destroy();
  const sessionOf = (outcome: string) =>
    until(
      `a session that is ${outcome}`,
      async () => (await list(`/v1/relay/sessions?outcome=${outcome}`)).data[0]?.id,
    );
  return {
    sandbox: (await list('/v1/domains')).data.find(({ domain }) => domain === 'posthorn.test')?.id ?? '',
    verified: verified.id,
    wrong: wrong.id,
    waiting: waiting.id,
    check: (await list(`/v1/domains/${wrong.id}/checks`)).data[0]?.id ?? '',
    session: await sessionOf('refused'),
    accepted: await sessionOf('accepted'),
  };
}
