import type { X509Certificate } from 'node:crypto';
import type { Clock } from '#platform/clock.ts';
import type { Settings } from '#platform/config/settings.ts';
import { RELAY, RELAY_CERTIFICATE } from './about-relay.ts';
import { judgeRelayCertificate } from './check-relay-certificate.ts';
import { type Finding, ok, skipped, trouble } from '../finding.ts';
import { probeRelay, type RelayPort, type RelayProbe } from './probe-relay.ts';

const LOOPBACK = ['127.0.0.1', '::1', 'localhost'];

interface LookedAt extends RelayPort {
  setting: string;
  probe: RelayProbe;
}

/** The ports of the relay as a client finds them, and its certificate. */
export async function checkRelay({ settings, clock }: { settings: Settings; clock: Clock }): Promise<Finding[]> {
  const ports = portsOf(settings);
  if (ports.length === 0) {
    const off = 'The SMTP relay is off.';
    return [skipped(RELAY, off), skipped(RELAY_CERTIFICATE, off)];
  }
  if (settings.tlsCert === null && !LOOPBACK.includes(settings.host)) {
    const none = `There is no certificate, and POSTHORN_HOST is ${settings.host}.`;
    return [skipped(RELAY, 'Not looked at: there is no certificate.'), trouble(RELAY_CERTIFICATE, 'none', none)];
  }
  const looked = await Promise.all(ports.map(async (one) => ({ ...one, probe: await probeRelay(one) })));
  const name = new URL(settings.publicUrl).hostname;
  const served = looked.flatMap(({ probe }) => certificateOf(probe, name) ?? []);
  return [
    ...looked.map((one) => judgePort(one, name)),
    ...(await judgeRelayCertificate({ settings, now: clock.now(), served })),
  ];
}

function portsOf({ host, smtpRelayPort, smtpRelaysPort }: Settings) {
  return [
    { host, port: smtpRelayPort, isImplicitTls: false, setting: 'POSTHORN_SMTP_RELAY_PORT' },
    { host, port: smtpRelaysPort, isImplicitTls: true, setting: 'POSTHORN_SMTP_RELAYS_PORT' },
  ].filter(({ port }) => port !== 0);
}

/** The relay greets with the host of POSTHORN_PUBLIC_URL. */
const isRelay = (greeting: string, name: string): boolean => greeting.startsWith(`220 ${name} ESMTP`);

/** Of the relay itself: that of another program has no bearing on ours. */
const certificateOf = (probe: RelayProbe, name: string): X509Certificate | null =>
  probe.kind === 'answers' && isRelay(probe.greeting, name) ? probe.certificate : null;

function judgePort({ host, port, setting, probe }: LookedAt, name: string): Finding {
  const values = { port: String(port), setting };
  const where = `${host}:${port}`;
  if (probe.kind === 'nobody') {
    if (probe.code === null) return ok(RELAY, `${where} is free; no process with the role smtp runs at this moment.`);
    if (probe.code === 'EACCES') return trouble(RELAY, 'forbidden', `${where}: EACCES.`, values);
    if (probe.code === 'EADDRINUSE') return trouble(RELAY, 'taken', `${where}: EADDRINUSE.`, values);
    return trouble(RELAY, 'no address', `${where}: ${probe.code}.`, values);
  }
  if (!isRelay(probe.greeting, name)) {
    const [words = ''] = probe.greeting.split('\r\n');
    const said = words === '' ? 'does not greet as a mail server' : `greets with “${words.slice(0, 100)}”`;
    return trouble(RELAY, 'taken', `A program on ${where} ${said}.`, values);
  }
  if (probe.certificate === null) return trouble(RELAY, 'no encryption', `${where} greets.`, values);
  return ok(RELAY, `The SMTP relay answers on ${where}, encrypted.`);
}
