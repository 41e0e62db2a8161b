import { isIP } from 'node:net';
import type { SesSettings } from './ses/ses-settings.ts';
import type { SmtpSettings, TlsMode } from './smtp/smtp-settings.ts';

export type ProviderConfig = { kind: 'capture' } | ({ kind: 'smtp' } & SmtpSettings) | ({ kind: 'ses' } & SesUrl);

/** The content of the URL; the address of the API is a setting of its own. */
export type SesUrl = Omit<SesSettings, 'endpoint'>;

export type ParsedProviderUrl = { ok: true; config: ProviderConfig } | { ok: false; faults: string[] };

const SMTP_OPTIONS = ['tls', 'connections', 'messages', 'name'];
const SES_OPTIONS = ['configurationSet', 'connections'];
// "us-east-1", "us-gov-west-1", "cn-northwest-1", "ap-southeast-5": what AWS calls its regions.
const REGION = /^[a-z]{2}(-[a-z]{2,12}){1,3}-\d{1,2}$/;
// Page "CreateConfigurationSet" of the Amazon SES API v2 Reference.
const CONFIGURATION_SET = /^[A-Za-z0-9_-]{1,64}$/;
const TLS_MODES: readonly TlsMode[] = ['starttls', 'auto', 'none'];
const HOST = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*\.?$/i;

/**
 * Reads POSTHORN_PROVIDER_URL: `capture:`, `ses://region?configurationSet=…&connections=50`,
 * `smtp://user:pass@host:587?tls=auto|starttls|none` or `smtps://…`, each of the latter with `connections`, `messages`
 * (per connection) and `name` (for EHLO). All faults are named at once, each
 * completes "POSTHORN_PROVIDER_URL …", and none of them repeats the URL or any part that could be the password.
 */
export function parseProviderUrl(text: string): ParsedProviderUrl {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text.trim())?.[1]?.toLowerCase();
  switch (scheme) {
    case 'capture':
      if (/^capture:(\/\/)?$/i.test(text.trim())) return { ok: true, config: { kind: 'capture' } };
      return { ok: false, faults: ['takes nothing after the colon of capture:'] };
    case 'ses':
      return parseSes(text.trim());
    case 'smtp':
    case 'smtps':
      return parseSmtp(text.trim(), scheme === 'smtps');
    case undefined:
      return { ok: false, faults: ['has no scheme; use capture:, ses://…, smtp://… or smtps://…'] };
    default:
      return { ok: false, faults: ['has an unknown scheme; use capture:, ses://, smtp:// or smtps://'] };
  }
}

function parseSmtp(text: string, implicit: boolean): ParsedProviderUrl {
  // A password with a raw "/", "?" or "#" ends the authority early: the parser would take its head for a port.
  if (!URL.canParse(text) || !/^smtps?:\/\//i.test(text)) {
    return {
      ok: false,
      faults: [
        'cannot be read as smtp://user:password@host:port; write special characters of user and password percent-encoded (@ %40, : %3A, / %2F, # %23, ? %3F)',
      ],
    };
  }
  const url = new URL(text);
  const faults: string[] = [];
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (host === '') faults.push('names no host');
  else if (isIP(host) === 0 && !HOST.test(host))
    faults.push('names a host that is neither a host name nor an IP address');
  if (url.pathname !== '' && url.pathname !== '/') faults.push('has a path after the host, which means nothing here');
  if (url.hash !== '') faults.push('has a fragment (#…); write # in a password as %23');

  const user = decode(url.username);
  const pass = decode(url.password);
  if (user === null || pass === null)
    faults.push('has a user or password that is not valid percent-encoding (write % as %25)');
  if ((user === '') !== (pass === '')) faults.push('needs user and password together: one of them is missing');

  checkOptions(url, SMTP_OPTIONS, faults);
  const tls = readTls(url.searchParams.get('tls'), implicit, host, faults);
  const ehloName = url.searchParams.get('name');
  if (ehloName !== null && !HOST.test(ehloName)) faults.push('needs a host name for the option "name"');
  const connections = readCount(url, 'connections', 10, 500, faults);
  const messagesPerConnection = readCount(url, 'messages', 500, 1_000_000, faults);

  if (faults.length > 0 || user === null || pass === null) return { ok: false, faults };
  return {
    ok: true,
    config: {
      kind: 'smtp',
      host,
      port: url.port === '' ? (implicit ? 465 : 587) : Number(url.port),
      tls,
      auth: user === '' ? null : { user, pass },
      connections,
      messagesPerConnection,
      ehloName,
    },
  };
}

function parseSes(text: string): ParsedProviderUrl {
  if (!URL.canParse(text) || !/^ses:\/\//i.test(text))
    return { ok: false, faults: ['cannot be read as ses://region?configurationSet=name'] };
  const url = new URL(text);
  const faults: string[] = [];
  const named = [...url.searchParams.keys()].some((name) => /key|secret|token|credential|password|@/i.test(name));
  if (url.username !== '' || url.password !== '' || url.search.includes('@') || named)
    faults.push(
      'must not hold credentials; the AWS SDK finds them itself: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a profile in ~/.aws, or the role of the container or instance',
    );
  else checkOptions(url, SES_OPTIONS, faults);
  const region = url.hostname.toLowerCase();
  if (region === '') faults.push('names no region; write ses://us-east-1');
  else if (!REGION.test(region)) faults.push('names a region that no AWS region looks like (us-east-1, eu-central-1)');
  if (url.port !== '') faults.push('has a port, which means nothing here; another address is POSTHORN_SES_ENDPOINT');
  if (url.pathname !== '' && url.pathname !== '/') faults.push('has a path after the region, which means nothing here');
  if (url.hash !== '') faults.push('has a fragment (#…), which means nothing here');
  const configurationSet = url.searchParams.get('configurationSet');
  if (configurationSet !== null && !CONFIGURATION_SET.test(configurationSet))
    faults.push('needs 1 to 64 letters, digits, _ or - for the option "configurationSet"');
  const connections = readCount(url, 'connections', 50, 500, faults);
  return faults.length > 0
    ? { ok: false, faults }
    : { ok: true, config: { kind: 'ses', region, configurationSet, connections } };
}

/** An @ here is the end of a password with a raw "?": its pieces must not be repeated as names of options. */
function checkOptions(url: URL, known: readonly string[], faults: string[]): void {
  const torn = url.search.includes('@');
  if (torn) faults.push('has an @ among the options; write ? in a password as %3F');
  for (const name of torn ? [] : new Set(url.searchParams.keys())) {
    if (!known.includes(name)) faults.push(`has the unknown option "${name}"; there are ${known.join(', ')}`);
    else if (url.searchParams.getAll(name).length > 1) faults.push(`gives the option "${name}" twice`);
  }
}

/** Without a word from the operator nothing goes over a network unencrypted; on this machine it may. */
function readTls(given: string | null, implicit: boolean, host: string, faults: string[]): TlsMode {
  if (implicit) {
    if (given !== null) faults.push('has the option "tls", but smtps:// is always encrypted: it belongs to smtp://');
    return 'implicit';
  }
  if (given === null) return isLoopback(host) ? 'none' : 'starttls';
  const mode = TLS_MODES.find((known) => known === given);
  if (mode === undefined) faults.push(`needs one of ${TLS_MODES.join(', ')} for the option "tls"`);
  return mode ?? 'starttls';
}

function readCount(url: URL, name: string, fallback: number, max: number, faults: string[]): number {
  const given = url.searchParams.get(name);
  if (given === null) return fallback;
  const count = /^\d{1,7}$/.test(given) ? Number(given) : 0;
  if (count < 1 || count > max) faults.push(`needs a whole number from 1 to ${max} for the option "${name}"`);
  return count;
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null; // a lone % or bytes that are no UTF-8
  }
}
