import { ownEntry } from '../own-entry.ts';

/** How far a request had come. */
export type Stage = 'looking up the name' | 'connecting' | 'waiting for the answer' | 'reading the answer';

/** A connection went to an address that was not judged. */
export class NotJudged extends Error {}

/** The deadline of a request passed. */
export class TimeIsUp extends Error {}
/** The caller no longer wants to know. */
export class Aborted extends Error {}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EPIPE: 'connection reset',
  ECONNABORTED: 'connection reset',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  EADDRNOTAVAIL: 'network unreachable',
  ETIMEDOUT: 'timed out while connecting',
  UND_ERR_CONNECT_TIMEOUT: 'timed out while connecting',
  UND_ERR_DESTROYED: 'aborted',
  UND_ERR_CLOSED: 'aborted',
  UND_ERR_HEADERS_OVERFLOW: 'answer headers are too large',
  HPE_HEADER_OVERFLOW: 'answer headers are too large',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the answer is not as long as it says',
  CERT_HAS_EXPIRED: 'TLS certificate has expired',
  CERT_NOT_YET_VALID: 'TLS certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'TLS certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'TLS certificate is signed by an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'TLS certificate chain is incomplete',
  UNABLE_TO_GET_ISSUER_CERT: 'TLS certificate chain is incomplete',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'TLS certificate is signed by an unknown authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'TLS certificate is not for this host name',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'TLS 1.2 or newer is required',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'TLS 1.2 or newer is required',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the port does not speak TLS',
};

/** The message for an error: plain words, and nothing of ours (addresses, codes, paths). */
export function reasonOf(error: unknown, stage: Stage, timeoutMs: number): string {
  if (error instanceof TimeIsUp) return `timed out after ${timeoutMs / 1_000} s while ${stage}`;
  if (error instanceof Aborted) return 'aborted';
  if (error instanceof AggregateError) return reasonOf(error.errors.at(-1), stage, timeoutMs);
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const known = ownEntry(REASONS, code);
  if (known !== undefined) return known;
  // Its code may be missing.
  if (error instanceof Error && error.name === 'HTTPParserError') return 'the answer is not valid HTTP';
  if (code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS')) return 'TLS handshake failed';
  if (stage === 'connecting') return 'could not connect';
  return stage === 'reading the answer'
    ? 'connection closed before the answer was complete'
    : 'connection closed without an answer';
}
