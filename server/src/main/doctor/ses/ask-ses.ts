import { ownEntry } from '#platform/own-entry.ts';

/** An answer of SES, or what its refusal means. `words` are those of AWS. */
export type Asked<T> = { answer: T } | { refusal: Refusal; words: string };

export type Refusal =
  | 'no credentials'
  | 'unknown credentials'
  | 'expired credentials'
  | 'clock'
  | 'denied'
  | 'not found'
  | 'no such host'
  | 'unreachable'
  | 'other';

const BY_NAME: Readonly<Record<string, Refusal>> = {
  CredentialsProviderError: 'no credentials',
  UnrecognizedClientException: 'unknown credentials',
  InvalidClientTokenId: 'unknown credentials',
  InvalidSignatureException: 'unknown credentials',
  SignatureDoesNotMatch: 'unknown credentials',
  IncompleteSignature: 'unknown credentials',
  IncompleteSignatureException: 'unknown credentials',
  MissingAuthenticationTokenException: 'unknown credentials',
  OptInRequired: 'unknown credentials',
  ExpiredToken: 'expired credentials',
  ExpiredTokenException: 'expired credentials',
  RequestTimeTooSkewed: 'clock',
  RequestExpired: 'clock',
  AccessDenied: 'denied',
  AccessDeniedException: 'denied',
  NotAuthorizedException: 'denied',
  NotFoundException: 'not found',
};
const NO_HOST = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_NONAME']);

/** Page "Common Errors" of the Amazon SES API v2 Reference. It never rejects. */
export async function askSes<T>(call: Promise<T>): Promise<Asked<T>> {
  try {
    return { answer: await call };
  } catch (error) {
    return { refusal: refusalOf(error), words: wordsOf(error) };
  }
}

function refusalOf(error: unknown): Refusal {
  if (!(error instanceof Error)) return 'other';
  const known = ownEntry(BY_NAME, error.name);
  if (known !== undefined) return known;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (NO_HOST.has(code)) return 'no such host';
  // An answer of AWS carries its status; without one none came.
  const { $metadata: metadata } = error as { $metadata?: { httpStatusCode?: number } }; // a field of the SDK's errors
  return metadata?.httpStatusCode === undefined ? 'unreachable' : 'other';
}

const wordsOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 500) : String(error);
