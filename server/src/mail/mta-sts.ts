/** MTA-STS (RFC 8461): a domain says that its mail comes over TLS only, to a server with a certificate that is good. */
import { createHash } from 'node:crypto';

export type MtaStsMode = 'testing' | 'enforce' | 'none';

/** Servers keep a policy for so long: a week, so that it outlives an attack, and a mistake does not last. */
const MAX_AGE_SECONDS = 604_800;
const ID_CHARS = 20;

/** The policy file. `mx` is the one host to which the mail goes; a withdrawn policy names none. */
export const mtaStsPolicy = (mode: MtaStsMode, mx: string): string =>
  [
    'version: STSv1',
    `mode: ${mode}`,
    ...(mode === 'none' ? [] : [`mx: ${mx}`]),
    `max_age: ${MAX_AGE_SECONDS}`,
    '',
  ].join('\r\n');

/** The TXT record at `_mta-sts` of the domain. Its id is that of the text, so it changes with the policy. */
export const mtaStsRecord = (policy: string): string =>
  `v=STSv1; id=${createHash('sha256').update(policy).digest('hex').slice(0, ID_CHARS)};`;

/** The domain whose policy is asked for at this host; undefined: the host is none for policies. */
export const mtaStsDomainOf = (host: string): string | undefined =>
  /^mta-sts\.([a-z0-9._-]+?)\.?(?::\d+)?$/.exec(host.toLowerCase())?.[1];
