/**
 * How fast finished messages leave through the Amazon SES provider: 4 KB each, one process, against the fake SES as a
 * process of its own. Beside it, in the same run, the bare SDK in a loop: one client with its own HTTP handler, which
 * neither knows a deadline nor whether bytes went out.
 *
 *   npm run bench -- ses [messages] [connections]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent } from 'node:http';
import path from 'node:path';
import { SendEmailCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { createLog } from '#platform/log.ts';
import { createSesProvider } from '#providers/ses/ses-provider.ts';
import { anOutgoingMessage } from '../test/harness/outgoing-message.ts';
import { report } from './results.ts';

const [messages = 5_000, connections = 50] = process.argv.slice(2).map(Number);
const html = `<p>${'lorem ipsum dolor sit amet, '.repeat(140)}</p>`;
const mime = Buffer.from(
  `From: shop@example.com\r\nTo: ada@example.net\r\nSubject: Bench\r\nMIME-Version: 1.0\r\n` +
    `Content-Type: text/html; charset=utf-8\r\n\r\n${html.replace(/.{70}/g, '$&\r\n')}\r\n`,
);
const credentials = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'wJalr' };

const program = path.join(import.meta.dirname, '../test/harness/fake-ses-process.ts');
const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
const [line] = await once(child.stdout, 'data');
const { endpoint } = JSON.parse(String(line)) as { endpoint: string }; // what our own program prints

/** Messages a second, and CPU milliseconds of this process for each. */
async function measure(send: () => Promise<unknown>): Promise<{ rate: number; cpuMs: number }> {
  let left = messages;
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await send();
    }
  };
  const cpu = process.cpuUsage();
  const startedMs = performance.now();
  await Promise.all(Array.from({ length: connections }, lane));
  const seconds = (performance.now() - startedMs) / 1_000;
  const used = process.cpuUsage(cpu);
  return { rate: messages / seconds, cpuMs: (used.user + used.system) / 1_000 / messages };
}

const settings = { region: 'us-east-1', configurationSet: 'posthorn', connections, endpoint };
const provider = createSesProvider(settings, { log: createLog({ level: 'warn' }), credentials });
await provider.start();
const message = anOutgoingMessage({ mime });
const throughProvider = (): Promise<{ rate: number; cpuMs: number }> =>
  measure(async () => {
    const verdict = await provider.send(message, { deadlineMs: 30_000 });
    if (verdict.kind !== 'accepted') throw new Error(verdict.response);
  });
const client = new SESv2Client({
  region: 'us-east-1',
  endpoint,
  credentials,
  maxAttempts: 1,
  requestHandler: { httpAgent: new Agent({ keepAlive: true, maxSockets: connections }) },
});
const throughSdk = (): Promise<{ rate: number; cpuMs: number }> =>
  measure(() =>
    client.send(
      new SendEmailCommand({
        Destination: { ToAddresses: message.envelope.to },
        Content: { Raw: { Data: mime } },
        EmailTags: [{ Name: 'posthorn_email', Value: message.emailId }],
        ConfigurationSetName: 'posthorn',
      }),
    ),
  );

// Each warms up once, so that neither is measured while it is compiled.
await throughProvider();
await throughSdk();
const ours = await throughProvider();
const bare = await throughSdk();
await provider.stop();
client.destroy();
child.kill();

const words = ({ rate, cpuMs }: { rate: number; cpuMs: number }): string =>
  `${Math.round(rate)}/s with ${cpuMs.toFixed(2)} ms CPU each`;
report(
  'ses',
  `${messages} messages of ${mime.length} bytes over ${connections} connections: ${words(ours)}; the bare SDK ${words(bare)}; ratio ${(ours.rate / bare.rate).toFixed(2)}`,
  'at least the bare SDK × 0.9',
);
