import type { Settings } from '#platform/config/settings.ts';
import type { Role } from './arguments.ts';

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
  credentials: FirstCredentials | null;
}

/** The lines that an operator sees: where it runs, and on the first start how to get in and a first send to copy. */
export function sayStart({ say, settings, roles, url, credentials }: StartLines): void {
  const kind = settings.providerUrl.split(':', 1)[0];
  say(`Posthorn is running (${roles.join(', ')}).${url === undefined ? '' : ` API and documentation: ${url}/docs`}`);
  say(
    kind === 'capture'
      ? 'Mail is captured: nothing leaves this machine. Set POSTHORN_PROVIDER_URL to send it.'
      : `Mail is sent through ${kind === 'ses' ? 'Amazon SES' : 'the SMTP server'}, at ${settings.sendRate} recipients a second.`,
  );
  if (credentials === null) return;
  sayCredentials(say, credentials);
  if (url === undefined) return;
  const key = credentials.apiKey ?? '$POSTHORN_API_KEY';
  say(kind === 'capture' ? tryCapture(url, key) : trySending(url, key, settings));
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
