import type { RelayState } from '#features/smtp-relay';
import type { Settings } from '#platform/config/settings.ts';
import type { Role } from './arguments.ts';
import { type Hold, HOLD_REMEDY, sayReason } from './fence/hold-reasons.ts';

/**
 * The records that the first start made; null on every later one. Values are shown this once and are not kept in the
 * clear.
 */
export interface FirstCredentials {
  email: string;
  /** Null when the setting fixed it. */
  password: string | null;
  apiKey: string | null;
}

export interface StartLines {
  say(text: string): void;
  settings: Settings;
  roles: readonly Role[];
  url: string | undefined;
  /** Of the SMTP relay; undefined where this process has no such role. */
  relay: RelayState | undefined;
  credentials: FirstCredentials | null;
  /** Nothing is sent until an operator confirms; undefined: mail leaves. */
  hold: Hold | undefined;
}

/** The lines that an operator sees: where it runs, and on the first start how to get in and a first send to copy. */
export function sayStart({ say, settings, roles, url, relay, credentials, hold }: StartLines): void {
  const kind = settings.providerUrl.split(':', 1)[0];
  say(`Posthorn is running (${roles.join(', ')}).${url === undefined ? '' : ` API and documentation: ${url}/docs`}`);
  const dashboard = url === undefined ? undefined : dashboardAddress(settings, url);
  if (dashboard !== undefined) say(`The dashboard: ${dashboard}`);
  const relayLine = relay === undefined ? undefined : sayRelay(relay, settings);
  if (relayLine !== undefined) say(relayLine);
  say(
    kind === 'capture'
      ? 'Mail is captured: nothing leaves this machine. Set POSTHORN_PROVIDER_URL to send it.'
      : `Mail is sent through ${kind === 'ses' ? 'Amazon SES' : 'the SMTP server'}, at ${settings.sendRate} recipients a second.`,
  );
  if (hold !== undefined) say(`\nSENDING IS HELD. ${sayReason(hold.reason)}\n${HOLD_REMEDY}\n`);
  if (credentials === null) return;
  sayCredentials(say, credentials);
  if (url === undefined) return;
  const key = credentials.apiKey ?? '$POSTHORN_API_KEY';
  say(kind === 'capture' ? tryCapture(url, key) : trySending(url, key, settings));
}

/** Where programs hand in mail over SMTP; undefined where it is turned off. */
function sayRelay(relay: RelayState, { host, smtpRelayPort, smtpRelaysPort }: Settings): string | undefined {
  if (relay === 'off') return undefined;
  if (relay === 'no certificate') return `SMTP relay: off. On ${host} it needs POSTHORN_TLS_CERT and POSTHORN_TLS_KEY.`;
  const { startTls, implicitTls } = relay.ports;
  const open = [
    ...(startTls === null ? [] : [`${host}:${startTls} (STARTTLS)`]),
    ...(implicitTls === null ? [] : [`${host}:${implicitTls} (TLS)`]),
  ];
  const closed = [
    ...(smtpRelayPort === 0 || startTls !== null ? [] : [`port ${smtpRelayPort} is in use (POSTHORN_SMTP_RELAY_PORT)`]),
    ...(smtpRelaysPort === 0 || implicitTls !== null
      ? []
      : [`port ${smtpRelaysPort} is in use (POSTHORN_SMTP_RELAYS_PORT)`]),
  ];
  const where = open.length === 0 ? 'not listening yet' : `${open.join(', ')}; user apikey, password your API key`;
  return `SMTP relay: ${[where, ...closed].join('; ')}`;
}

/** The address in a browser; undefined where this process serves no dashboard. */
function dashboardAddress({ dashboardFiles, dashboardUrl, port }: Settings, url: string): string | undefined {
  if (dashboardFiles === null || dashboardFiles === 'none') return undefined;
  // Unset, it is this machine's, with the port that was asked for; 0 asks for any.
  return `${dashboardUrl === `http://localhost:${port}` ? url : dashboardUrl}/`;
}

/** Shown at the first start only, also when a later step of it fails. */
export function sayCredentials(say: (text: string) => void, credentials: FirstCredentials): void {
  say(`
First start. Keep these: they are shown only now.

  owner      ${credentials.email}
  password   ${credentials.password ?? '(the one you set)'}
  API key    ${credentials.apiKey ?? '(the one you set)'}
`);
}

const send = (url: string, key: string, from: string, to: string): string =>
  `  curl ${url}/v1/send \\
    -H "Authorization: Bearer ${key}" \\
    -H "Content-Type: application/json" \\
    -d '{"from":"${from}","to":["${to}"],"subject":"It works","html":"<p>My first email</p>"}'
`;

const tryCapture = (url: string, key: string): string => `Try it:

${send(url, key, 'Posthorn <hello@posthorn.test>', 'ada@example.com')}
  curl ${url}/v1/captured-emails -H "Authorization: Bearer ${key}"
`;

/** An example that could be pasted as it is would send mail to somebody. */
function trySending(url: string, key: string, { senderDomains }: Settings): string {
  const [domain] = senderDomains;
  const from = `hello@${domain ?? 'YOUR-DOMAIN'}`;
  const before =
    domain === undefined ? 'Name your domain in POSTHORN_SENDER_DOMAINS and start again. Then send' : 'Send';
  return `This example sends a real email. ${before} one to your own address:

${send(url, key, from, 'YOU@EXAMPLE.COM')}
Check the set-up first:

  npm start -- doctor
`;
}
