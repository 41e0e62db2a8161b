import { generateKeyPairSync } from 'node:crypto';
import { createTransport } from 'nodemailer';

const CONNECTIONS = 10;

interface Loop {
  port: number;
  emails: number;
  isSigned: boolean;
  /** The message for the recipient of this number, as nodemailer takes it. */
  messageTo(n: number): object | Promise<object>;
}

/**
 * The yardstick of what sends much mail: nodemailer's pool, fed with twice as many messages as it has connections. It
 * composes each message and, when asked, signs it. Processor time is in milliseconds for one email.
 */
export async function nodemailerLoop(loop: Loop): Promise<{ perSecond: number; nodeMs: number }> {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const pool = createTransport({
    pool: true,
    host: '127.0.0.1',
    port: loop.port,
    ignoreTLS: true,
    maxConnections: CONNECTIONS,
    maxMessages: 5_000,
    ...(loop.isSigned ? { dkim: { domainName: 'posthorn.test', keySelector: 'bench', privateKey } } : {}),
  });
  const cpu = process.cpuUsage();
  const startedMs = performance.now();
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let n = next++; n < loop.emails; n = next++) await pool.sendMail(await loop.messageTo(n));
  };
  await Promise.all(Array.from({ length: CONNECTIONS * 2 }, lane));
  const seconds = (performance.now() - startedMs) / 1_000;
  const used = process.cpuUsage(cpu);
  pool.close();
  return { perSecond: loop.emails / seconds, nodeMs: (used.user + used.system) / 1_000 / loop.emails };
}
