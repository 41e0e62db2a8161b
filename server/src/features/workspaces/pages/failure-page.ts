import { html } from '#platform/html/html.ts';
import type { PageFailure, PageOptions } from '#platform/http/page.ts';
import { hashOfLinkToken } from '../accounts/user-token.ts';
import { PASSWORD_CHARS_MAX, PASSWORD_CHARS_MIN } from '../accounts/user.ts';
import { acceptInviteCodePage } from './account-pages.ts';
import { layout, tokenField } from './layout.ts';

/**
 * Why it did not work, and what to do about it. Unknown, used, expired and damaged links look alike. Where trying again
 * may help, a button leads back to the form.
 */
export const failurePages = (page: {
  path: string;
  forNewLink: string;
  /** The form once more, where it can be given again at once; undefined: not after this failure. */
  again?: (failure: PageFailure, problem: string) => string | undefined;
}): PageOptions => ({
  failure(failure) {
    const isBadLink = failure.error.extras.param === 'token' || failure.error.name === 'not_found_error';
    if (isBadLink) {
      return layout(
        'This link is not valid',
        html`<p>It was used before, has expired, or is not complete. ${page.forNewLink}</p>`,
      );
    }
    const shown = page.again?.(failure, sentence(failure));
    if (shown !== undefined) return shown;
    const { token } = failure.fields;
    const again =
      typeof token === 'string' && hashOfLinkToken(token) !== undefined
        ? html`<form method="get" action="${page.path}">
      ${tokenField(token)}
      <button type="submit">Try again</button>
    </form>`
        : html`<p>Open the link in the mail again.</p>`;
    return layout(
      'That did not work',
      html`<p role="alert">${sentence(failure)}</p>
    ${again}`,
    );
  },
});

/** Asks for the code once more, until the password has to be given again. */
export function codeAgain({ error, fields }: PageFailure, problem: string): string | undefined {
  const { token, challenge } = fields;
  if (error.extras.param === 'challenge' || typeof token !== 'string' || typeof challenge !== 'string')
    return undefined;
  return hashOfLinkToken(token) === undefined ? undefined : acceptInviteCodePage({ token, challenge }, problem);
}

function sentence({ error, status, requestId, fields }: PageFailure): string {
  const { param, retryAfterSeconds = 60 } = error.extras;
  if (error.name === 'rate_limit_error') {
    const minutes = Math.ceil(retryAfterSeconds / 60);
    return `Too many attempts. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`;
  }
  if (status >= 500) return `We could not do this just now. Try again in a moment. If it stays, report ${requestId}.`;
  if (param === 'challenge') return 'This step is over. Give your password again.';
  if (param === 'code') return 'Give the six digits of your app, or one of your recovery codes.';
  if (error.name === 'authentication_error' && 'code' in fields) return error.message;
  if (error.name === 'authentication_error')
    return 'There is an account with this address, and its password is another.';
  if (param === 'password') return `A password has ${PASSWORD_CHARS_MIN} to ${PASSWORD_CHARS_MAX} characters.`;
  if (param === 'name') return 'A name has at most 200 characters, on one line.';
  return 'The form could not be read.';
}
