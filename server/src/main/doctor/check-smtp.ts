import { once } from 'node:events';
import { connect } from 'node:net';
import type { Db } from '#platform/db/database.ts';
import { DOMAIN_SETTINGS } from '#platform/config/domain-settings.ts';
import type { Settings } from '#platform/config/settings.ts';
import { probeSmtp, type SmtpProbe } from '#providers/smtp/probe-smtp.ts';
import type { SmtpSettings } from '#providers/smtp/smtp-settings.ts';
import { BOUNCES, CONNECTION, DOMAIN_RECORDS, LISTENER, RETURN_PATH, SIGN_IN, TLS } from './about-smtp.ts';
import { type Finding, ok, skipped, trouble } from './finding.ts';
import { lastBounceMailAt } from './queries.ts';

export interface SmtpCheckDeps {
  db: Db;
  settings: Settings;
  smtp: SmtpSettings;
  ca?: string;
  /** The MX hosts of a domain, best first; rejects with a code when there are none. */
  resolveMx(domain: string): Promise<readonly { exchange: string; priority: number }[]>;
  checkCallback(): Promise<Finding>;
}

const greetingMsMax = 2_000;

/** From our connection to the mail server to the way back of what it could not deliver. */
export async function checkSmtp(deps: SmtpCheckDeps): Promise<{ checks: Finding[]; account: Record<string, unknown> }> {
  const { smtp, settings, db } = deps;
  const probe = await probeSmtp(smtp, deps.ca === undefined ? {} : { ca: deps.ca });
  const checks = [
    ...judgeProbe(probe, smtp),
    await judgeReturnPath(deps),
    await judgeListener(settings),
    await judgeBounces(db, settings),
    judgeDomainRecords(settings, smtp),
    await deps.checkCallback(),
  ];
  const account = { host: smtp.host, port: smtp.port, tls: smtp.tls, user: smtp.auth?.user ?? null };
  return { checks, account };
}

function judgeProbe(probe: SmtpProbe, { host, port, auth, tls }: SmtpSettings): Finding[] {
  const server = `${host}:${port}`;
  const notSigned = skipped(SIGN_IN, 'Not looked at: there is no session.');
  if (probe.failed === 'connect') {
    const kind = probe.replied ? 'refused' : 'failed';
    const tlsToo = skipped(TLS, 'Not looked at: there is no connection.');
    return [trouble(CONNECTION, kind, `${server}: ${probe.words}`, { server }), tlsToo, notSigned];
  }
  const connected = ok(CONNECTION, `${server} greets.`);
  if (probe.failed === 'tls') return [connected, trouble(TLS, 'failed', `${server}: ${probe.words}`), notSigned];
  return [connected, judgeTls(probe, host, tls), judgeSignIn(probe, auth?.user)];
}

function judgeTls(probe: SmtpProbe, host: string, mode: SmtpSettings['tls']): Finding {
  if (probe.secure === true) {
    return ok(
      TLS,
      mode === 'auto'
        ? 'Encrypted; the certificate is not checked (tls=auto).'
        : 'Encrypted, and the certificate is good.',
    );
  }
  if (probe.secure === null) return skipped(TLS, 'Not looked at: there is no session.');
  if (/^(localhost|127\.|::1$)/.test(host)) return ok(TLS, 'Not encrypted; the server is on this machine.');
  return trouble(TLS, 'none', 'The connection is not encrypted.');
}

function judgeSignIn(probe: SmtpProbe, user: string | undefined): Finding {
  if (probe.failed === 'auth') return trouble(SIGN_IN, 'refused', probe.words);
  return ok(SIGN_IN, user === undefined ? 'No user is configured, and none was asked for.' : `${user} is taken.`);
}

async function judgeReturnPath({ settings, resolveMx }: SmtpCheckDeps): Promise<Finding> {
  const domain = settings.bounceDomain;
  if (domain === null) return trouble(RETURN_PATH, 'not set', 'POSTHORN_BOUNCE_DOMAIN is not set.');
  try {
    const records = await resolveMx(domain);
    // RFC 7505: a single "." says that the domain takes no mail.
    const hosts = records.map(({ exchange }) => exchange).filter((exchange) => exchange !== '');
    if (hosts.length === 0) return trouble(RETURN_PATH, 'no mx', `${domain} takes no mail.`, { domain });
    return ok(RETURN_PATH, `Mail for ${domain} goes to ${hosts.join(', ')}: make sure that this is Posthorn.`);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (code !== 'ENOTFOUND' && code !== 'ENODATA') {
      return skipped(RETURN_PATH, `The MX of ${domain} cannot be looked up from here (${code || 'no answer'}).`);
    }
    return trouble(RETURN_PATH, 'no mx', `${domain} has no MX record.`, { domain });
  }
}

async function judgeListener({ bounceDomain, inboundSmtpPort }: Settings): Promise<Finding> {
  if (bounceDomain === null) return skipped(LISTENER, 'Not looked at: POSTHORN_BOUNCE_DOMAIN is not set.');
  if (inboundSmtpPort === 0) return trouble(LISTENER, 'off', 'POSTHORN_INBOUND_SMTP_PORT is 0.');
  const greeting = await readGreeting(inboundSmtpPort);
  if (greeting.startsWith('220')) return ok(LISTENER, `Port ${inboundSmtpPort} greets.`);
  return trouble(LISTENER, 'silent', `Port ${inboundSmtpPort} of 127.0.0.1 does not greet.`);
}

async function readGreeting(port: number): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1' });
  try {
    const [chunk]: unknown[] = await once(socket, 'data', { signal: AbortSignal.timeout(greetingMsMax) });
    return String(chunk);
  } catch {
    return '';
  } finally {
    socket.destroy();
  }
}

async function judgeBounces(db: Db, { bounceDomain }: Settings): Promise<Finding> {
  if (bounceDomain === null) return skipped(BOUNCES, 'Not looked at: POSTHORN_BOUNCE_DOMAIN is not set.');
  const at = await lastBounceMailAt(db);
  return ok(
    BOUNCES,
    at === null
      ? 'No bounce message was received yet. An email to an address that does not exist should bring one.'
      : `The last bounce message came at ${at.toISOString()}.`,
  );
}

/**
 * Domains have records of ours in the cloud edition, unless the operator names them. The SMTP service of Amazon SES is
 * Amazon SES.
 */
function judgeDomainRecords(settings: Settings, { host }: SmtpSettings): Finding {
  const { edition, senderDomains, spfHost, feedbackHost } = settings;
  if (edition !== 'cloud') return ok(DOMAIN_RECORDS, 'Not needed in the self-hosted edition.');
  if (senderDomains.length > 0) return ok(DOMAIN_RECORDS, 'Not needed for the domains of POSTHORN_SENDER_DOMAINS.');
  if (host.endsWith('.amazonaws.com')) return ok(DOMAIN_RECORDS, 'They name Amazon SES, through which mail leaves.');
  const unset = [
    ...(spfHost === DOMAIN_SETTINGS.spfHost.fallback ? ['POSTHORN_SPF_HOST'] : []),
    ...(feedbackHost === null ? ['POSTHORN_FEEDBACK_HOST'] : []),
  ];
  if (unset.length === 0) return ok(DOMAIN_RECORDS, `They name ${spfHost} and ${feedbackHost}.`);
  const words = `${unset.join(' and ')} ${unset.length === 1 ? 'is' : 'are'}`;
  return trouble(DOMAIN_RECORDS, 'of amazon', `SPF records include ${spfHost}.`, { unset: words, host });
}
