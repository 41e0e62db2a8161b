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
      ? 'Mail is captured: nothing leaves this machine. POSTHORN_PROVIDER_URL sends it for real.'
      : `Mail goes out through ${kind}, at ${settings.sendRate} recipients a second.`,
  );
  if (credentials === null || url === undefined) return;
  const key = credentials.apiKey ?? '$POSTHORN_API_KEY';
  say(`
First start. Keep these: they are shown only now.

  owner      ${credentials.email}
  password   ${credentials.password ?? '(the one you set)'}
  API key    ${credentials.apiKey ?? '(the one you set)'}

Try it:

  curl ${url}/v1/send \\
    -H "Authorization: Bearer ${key}" \\
    -H "Content-Type: application/json" \\
    -d '{"from":"Posthorn <hello@posthorn.test>","to":["ada@example.com"],"subject":"It works","html":"<p>My first email</p>"}'

  curl ${url}/v1/captured-emails -H "Authorization: Bearer ${key}"
`);
}
