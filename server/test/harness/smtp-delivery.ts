import type { TestContext } from 'node:test';
import { createLog } from '#platform/log.ts';
import type { EmailProvider } from '#providers/email-provider.ts';
import { parseProviderUrl } from '#providers/parse-provider-url.ts';
import { createSmtpProvider } from '#providers/smtp/smtp-provider.ts';
import { type SmtpSink, startSmtpSink } from './smtp-sink.ts';
import { undoAfter } from './undo.ts';

/** The SMTP provider, and the server that it delivers to. */
export async function startSmtpDelivery(t: TestContext): Promise<{ provider: EmailProvider; sink: SmtpSink }> {
  const sink = await startSmtpSink();
  undoAfter(t, () => sink.stop());
  const parsed = parseProviderUrl(`${sink.url}?tls=none`);
  if (!parsed.ok || parsed.config.kind !== 'smtp') throw new Error('not the URL of an SMTP server');
  const provider = createSmtpProvider(parsed.config, { log: createLog({ level: 'silent' }) });
  await provider.start();
  undoAfter(t, () => provider.stop());
  return { provider, sink };
}
