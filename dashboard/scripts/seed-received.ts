/** A domain that receives, an answer to one of our emails, another in its conversation, and an automatic one. */
import assert from 'node:assert/strict';
import { deliverMail, wire } from '../../server/test/harness/deliver-mail.ts';
import { until } from '../../server/test/harness/until.ts';
import type { RunningDashboard } from '../test/harness/dashboard.ts';

export type ReceivedIds = Readonly<Record<'received' | 'automatic' | 'thread', string>>;

interface Given {
  verified: string;
  wrong: string;
  mailPort: number;
}

interface Answered {
  emails: { id: string }[];
  message_id: string;
  data: { id: string; subject: string; status: string; thread_id: string | null; message_id: string }[];
}

const HTML = `<p>Thanks for the receipt! Could you put our <b>order number</b> on it?</p>
<blockquote>Here is your receipt.</blockquote>`;

export async function seedReceived(
  { posthorn }: RunningDashboard,
  { verified, wrong, mailPort }: Given,
): Promise<ReceivedIds> {
  const call = async (path: string, body?: unknown, method?: string): Promise<Answered> => {
    const answer = await posthorn.fetch(path, {
      ...(body === undefined ? {} : { body }),
      ...(method === undefined ? {} : { method }),
    });
    assert.ok(answer.status < 300, `${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as Answered;
  };
  const to = 'support+42@kitchen.test';
  for (const id of [verified, wrong]) await call(`/v1/domains/${id}/receiving/enable`, undefined, 'POST');
  await call(`/v1/domains/${verified}/webhook`, { webhookUrl: 'http://127.0.0.1:9/inbound' }, 'PATCH');
  const sent = await call('/v1/send', {
    from: 'shop@posthorn.test',
    to: 'ada@example.com',
    subject: 'Your receipt',
    text: 'Here is your receipt.',
  });
  const email = await call(`/v1/emails/${sent.emails[0]?.id}`);
  const deliver = async (lines: readonly string[], html: string): Promise<void> => {
    const head = ['From: Ada Lovelace <ada@example.com>', `To: ${to}`, ...lines, 'MIME-Version: 1.0'];
    const parts = [
      'Content-Type: multipart/mixed; boundary="b"',
      '',
      '--b',
      'Content-Type: text/html; charset=utf-8',
      '',
      html,
      '--b',
      'Content-Type: application/pdf',
      'Content-Transfer-Encoding: base64',
      'Content-Disposition: attachment; filename="order.pdf"',
      '',
      'aGVsbG8=',
      '--b--',
    ];
    assert.match(await deliverMail(mailPort, { to }, wire(`${[...head, ...parts].join('\n')}\n`)), /^250 /);
  };
  const read = (subject: string) =>
    until(`the message ${subject}`, async () =>
      (await call('/v1/inbound')).data.find((mail) => mail.subject === subject && mail.status === 'read'),
    );
  await deliver(['Subject: Re: Your receipt', 'Message-ID: <1@example.com>', `In-Reply-To: ${email.message_id}`], HTML);
  const received = await read('Re: Your receipt');
  await deliver(
    ['Subject: Re: Your receipt, again', 'Message-ID: <2@example.com>', `In-Reply-To: ${email.message_id}`],
    '<p>It is 1815.</p>',
  );
  await deliver(['Subject: Out of office', 'Auto-Submitted: auto-replied'], '<p>I am away until Monday.</p>');
  const automatic = await read('Out of office');
  return { received: received.id, automatic: automatic.id, thread: received.thread_id ?? '' };
}
