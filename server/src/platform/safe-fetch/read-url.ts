/**
 * What a URL says, before anybody looks its name up. The text is judged first and then parsed once: the parser of the
 * URL standard drops tabs and newlines, turns backslashes into slashes and reads `http:host` like `http://host`, so
 * what is reached would not be what the customer sees.
 */

export interface Target {
  /** The canonical form, which is what is stored and requested. */
  href: string;
  origin: string;
  /** The part of a request that follows the origin. */
  path: string;
  secure: boolean;
  /** A name in ASCII and lower case without a closing dot, or an address without brackets. */
  host: string;
  port: number;
  /** Written exactly as a door for development asks: http(s)://127.0.0.1:port or localhost:port, from port 1024. */
  isPlainLoopback: boolean;
}

/** `reason` for whoever reads the outcome of a request, `advice` for whoever is typing the URL. */
export interface Refusal {
  reason: string;
  advice: string;
  /** The text is no URL at all: 400 and not 422. */
  isMalformed?: true;
}

/** Longer ones are cut by proxies and logs on the way. */
const urlCharsMax = 2_048;
/** RFC 1035 §2.3.4, as text. */
const hostCharsMax = 253;
const labelCharsMax = 63;
const PLAIN_LOOPBACK = /^https?:\/\/(?:127\.0\.0\.1|localhost):([1-9]\d{3,4})(?:[/?]|$)/;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?$/;

export function readUrl(text: string): Target | Refusal {
  if (text.length > urlCharsMax) return malformed('URL is too long', `A URL has at most ${urlCharsMax} characters.`);
  if (/[\x00-\x20\x7f-\xa0\u2028\u2029\ufeff]/.test(text)) {
    return malformed(
      'URL contains a space or control character',
      'Remove spaces and control characters, or encode them.',
    );
  }
  if (/%0[ad]/i.test(text)) return refuse('URL contains a line break', 'Remove the encoded line break (%0D or %0A).');
  if (text.includes('\\')) return refuse('URL contains a backslash', 'Use / in place of the backslash.');
  if (text.includes('#'))
    return refuse('URL contains a fragment', 'Leave out the # and what follows: it is never sent.');
  const authority = /^https?:\/\/([^/?]+)/i.exec(text)?.[1];
  if (authority === undefined || !URL.canParse(text)) {
    return malformed('URL is not valid', 'Give a whole URL, as in https://example.com/hooks.');
  }
  if (authority.includes('@')) {
    return refuse('URL contains a user name or password', 'Leave out the user name and password before the @.');
  }
  return readParsed(text, new URL(text));
}

function readParsed(text: string, url: URL): Target | Refusal {
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (!url.hostname.startsWith('[') && !isHostname(host)) {
    return malformed('host name is not valid', 'The host name of the URL is not valid.');
  }
  if (url.href.length > urlCharsMax) {
    return malformed('URL is too long', `A URL has at most ${urlCharsMax} characters when it is encoded.`);
  }
  const secure = url.protocol === 'https:';
  const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port);
  return {
    href: url.href,
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    secure,
    host,
    port,
    isPlainLoopback: Number(PLAIN_LOOPBACK.exec(text)?.[1] ?? 0) >= 1_024,
  };
}

const isHostname = (host: string): boolean =>
  host.length <= hostCharsMax && host.split('.').every((label) => label.length <= labelCharsMax && LABEL.test(label));

const refuse = (reason: string, advice: string): Refusal => ({ reason, advice });
const malformed = (reason: string, advice: string): Refusal => ({ reason, advice, isMalformed: true });
