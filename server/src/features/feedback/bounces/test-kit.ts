import { formatVerp } from '#mail/returned/verp.ts';
import type { StoredNotification } from '../notifications/notification.ts';
import { createReadBounceMail } from './read-bounce-mail.ts';

/** Bounce messages in the shapes that servers give them; all to Ada unless said. */
const KEY = Buffer.alloc(32, 7);
export const EMAIL = {
  workspaceId: '0197f500-0000-7000-8000-000000000001',
  emailId: '0197f500-0000-7000-8000-00000000000f',
};
export const RETURN_PATH = `${formatVerp(EMAIL, KEY)}@bounces.example.com`;
const RECEIVED_AT = new Date('2026-11-21T10:00:00Z');

/** With CRLF, as it comes from the wire. */
export const wire = (text: string): Buffer => Buffer.from(text.replace(/\r?\n/g, '\r\n'));

export function aNotification(body: Buffer | string, given: Partial<StoredNotification> = {}): StoredNotification {
  return {
    source: 'mail',
    id: 'the-notification',
    topic: null,
    body: typeof body === 'string' ? wire(body) : body,
    envelopeTo: RETURN_PATH,
    receivedAt: RECEIVED_AT,
    ...given,
  };
}

export const RETURNED = `Return-Path: <${RETURN_PATH}>
From: Shop <shop@example.org>
To: ada@example.com
Subject: Your order. Blocked? User unknown? Mailbox full?
Message-ID: <${EMAIL.emailId}@example.org>
`;

interface Dsn {
  from?: string;
  subject?: string;
  headers?: string;
  human?: string;
  mta?: string;
  /** The whole status part, or the fields of one recipient. */
  status?: string;
  fields?: string;
  returned?: string;
}

/** multipart/report as RFC 3464 has it. */
export function dsn(given: Dsn): string {
  const status =
    given.status ??
    `Reporting-MTA: ${given.mta ?? 'dns; mx.example.net'}
Arrival-Date: Sat, 21 Nov 2026 09:59:00 +0000

${given.fields ?? ''}
`;
  return `From: ${given.from ?? 'Mail Delivery System <MAILER-DAEMON@mx.example.net>'}
To: ${RETURN_PATH}
Subject: ${given.subject ?? 'Undelivered Mail Returned to Sender'}
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
	boundary="4F1A.1795/mx.example.net"
${given.headers ?? ''}
This is a MIME-encapsulated message.

--4F1A.1795/mx.example.net
Content-Description: Notification
Content-Type: text/plain; charset=us-ascii

${given.human ?? 'This is the mail system. Your message could not be delivered.'}

--4F1A.1795/mx.example.net
Content-Description: Delivery report
Content-Type: message/delivery-status

${status}
--4F1A.1795/mx.example.net
Content-Description: Undelivered Message
Content-Type: message/rfc822

${given.returned ?? RETURNED}
Hello
--4F1A.1795/mx.example.net--
`;
}

/** One recipient in the order and spelling of Postfix. */
export const fields = (status: string, diagnostic: string, action = 'failed', to = 'ada@example.com'): string =>
  `Final-Recipient: rfc822; ${to}
Original-Recipient: rfc822;${to}
Action: ${action}
Status: ${status}
Remote-MTA: dns; mx.example.com
Diagnostic-Code: ${diagnostic}`;

/** A bounce message for people, or an answer. */
export const plain = (text: string, headers = 'From: MAILER-DAEMON@mx.example.net\nSubject: failure notice'): string =>
  `${headers}
To: ${RETURN_PATH}
Date: Sat, 21 Nov 2026 10:00:00 +0000

${text}
`;

interface Arf {
  type?: string;
  fields?: string;
  returned?: string;
  human?: string;
}

/** multipart/report as RFC 5965 has it. */
export function arf(given: Arf): string {
  return `From: <feedback@arf.example.net>
To: <feedback@bounces.example.com>
Subject: FW: Your order
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report; boundary="part1_13d.2e68ed54_boundary"

--part1_13d.2e68ed54_boundary
Content-Type: text/plain; charset="US-ASCII"

${given.human ?? 'This is an email abuse report for an email message received from IP 192.0.2.1.'}

--part1_13d.2e68ed54_boundary
Content-Type: message/feedback-report

${given.type === undefined ? 'Feedback-Type: abuse' : given.type}
User-Agent: SomeGenerator/1.0
Version: 1
${given.fields ?? `Original-Mail-From: <${RETURN_PATH}>\nOriginal-Rcpt-To: <ada@example.com>\n`}
--part1_13d.2e68ed54_boundary
Content-Type: message/rfc822
Content-Disposition: inline

${given.returned ?? RETURNED}
Hello
--part1_13d.2e68ed54_boundary--
`;
}

export const read = createReadBounceMail(KEY);

/** In one line: kind or event type, SES's two words, address. */
export async function summary(mail: string | Buffer): Promise<string> {
  const result = await read(aNotification(mail));
  if (result.kind === 'receipt') return result.kind;
  if (result.kind !== 'events') return `${result.kind}: ${result.note}`;
  const lines = result.events.map(({ type, recipient, payload }) => {
    const { bounce } = payload as { bounce?: { bounceType: string; bounceSubType: string } }; // as it was made
    return [type, ...(bounce === undefined ? [] : [`${bounce.bounceType}/${bounce.bounceSubType}`]), recipient].join(
      ' ',
    );
  });
  return lines.join(', ');
}
