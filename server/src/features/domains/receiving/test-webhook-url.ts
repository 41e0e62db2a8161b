import { testForward } from '#features/webhooks';
import { conflict } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { newId } from '#platform/ids.ts';
import type { SafeFetch } from '#platform/safe-fetch/safe-fetch.ts';
import type { Domain } from '../domain.ts';
import { getDomain } from '../get-domain.ts';

/** The answer of the receiver; status 0: none came. */
export interface WebhookTest {
  success: boolean;
  status: number;
  statusText: string;
  error?: string;
}

/** Sends a sample of received mail to the address of a domain, once. It counts neither for nor against the address. */
export async function testWebhookUrl(ctx: Ctx, id: string, safeFetch: SafeFetch): Promise<WebhookTest> {
  const domain = await getDomain(ctx, id);
  const outcome = await testForward(ctx, { domainId: id, safeFetch }, (head) =>
    sampleOf(domain, head, ctx.clock.now()),
  );
  if (outcome === undefined) {
    throw conflict('This domain has no webhook. Set one with PATCH /v1/domains/:id/webhook first.');
  }
  const { status, statusText, error, blocked } = outcome;
  if (status === null) {
    return { success: false, status: 0, statusText: blocked ? 'blocked' : 'failed', error: error ?? 'No answer came.' };
  }
  return {
    success: error === null,
    status,
    statusText,
    ...(error === null ? {} : { error }),
  };
}

/** The fields of received mail, as a reply of somebody would have them. */
function sampleOf({ id, domain }: Domain, head: object, at: Date): object {
  const to = `support+42@${domain}`;
  const messageId = `<${newId()}@example.com>`;
  return {
    ...head,
    domain: { id, domain },
    inbound: {
      id: newId(),
      from: { email: 'ada@example.com', name: 'Ada' },
      to: [{ email: to, name: null }],
      cc: [],
      reply_to: [],
      envelope: { from: 'ada@example.com', to: [to] },
      subject: 'Re: Your receipt',
      date: at.toISOString(),
      message_id: messageId,
      in_reply_to: null,
      references: [],
      mailbox_hash: '42',
      text: 'Thanks!\n',
      html: null,
      stripped_text: 'Thanks!\n',
      quoted_text: '',
      stripped_confidence: 1,
      headers: [
        { name: 'From', value: 'Ada <ada@example.com>' },
        { name: 'To', value: to },
        { name: 'Subject', value: 'Re: Your receipt' },
        { name: 'Message-ID', value: messageId },
      ],
      attachments: [],
      size: 210,
      truncated: false,
      parse_error: null,
      spam: { verdict: 'unknown', score: null },
      virus: { verdict: 'unknown' },
      auth: { spf: 'pass', dkim: 'pass', dmarc: 'pass', arc: 'none' },
      auto_submitted: false,
      in_reply_to_email_id: null,
      matched_by: null,
      contact_id: null,
      thread_id: newId(),
      received_at: at.toISOString(),
      raw_url: null,
    },
  };
}
