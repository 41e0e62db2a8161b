import type { Verdict } from '../email-provider.ts';
import type { Progress } from './progress.ts';

const CREDENTIALS_CODE = 403;
// Names of the providers in the chain of the SDK, when none of them has anything or what they have is refused.
const NO_CREDENTIALS = /Credentials|TokenProvider|UnauthorizedSSOToken/;

/** The meaning of a missing answer: because nothing was asked, or because nobody replied. */
export function judgeSilence(progress: Progress, error: unknown): Verdict {
  const what = wordsOf(error);
  // All connections were busy with the messages before it: nobody's attempt.
  const isBusy = progress.gate !== undefined && progress.asked && !progress.hasConnection;
  if (progress.withdrawn || isBusy) return { kind: 'not-begun', response: what };
  if (progress.begun) return { kind: 'unknown', response: `no answer from Amazon SES: ${what}` };
  if (!progress.asked && isAboutCredentials(error)) {
    const response = `no credentials for Amazon SES: ${what}`;
    return { kind: 'temporary', response, code: CREDENTIALS_CODE, throttled: false };
  }
  return { kind: 'temporary', response: `Amazon SES was not reached: ${what}`, code: null, throttled: false };
}

/** The chain itself, or the service that it asked (STS, SSO) and that said no. */
const isAboutCredentials = (error: unknown): boolean =>
  error instanceof Error && (NO_CREDENTIALS.test(error.name) || '$fault' in error);

/** A refused connection to a name of several addresses is an error without words around others. */
function wordsOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '')
    return error.errors.map((one) => wordsOf(one)).join('; ');
  return error instanceof Error ? error.message || error.name : String(error);
}
