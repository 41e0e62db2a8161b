import type { OutgoingMessage } from '#providers/email-provider.ts';

/** A finished message for providers; `change` overrides parts of it. */
export function anOutgoingMessage(change: Partial<OutgoingMessage> = {}): OutgoingMessage {
  const emailId = change.emailId ?? '01939f4c-7a00-7000-8000-000000000001';
  return {
    workspaceId: '01939f4c-7a00-7000-8000-00000000000a',
    emailId,
    messageId: `<${emailId}@posthorn.test>`,
    envelope: { from: 'shop@example.com', to: ['ada@example.net'] },
    mime: Buffer.from(`Message-ID: <${emailId}@posthorn.test>\r\nSubject: Hello\r\n\r\nHello Ada\r\n`),
    subject: 'Hello',
    system: false,
    ...change,
  };
}
