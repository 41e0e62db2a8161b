import { html } from '#platform/html/html.ts';
import type { PageFailure, PageOptions } from '#platform/http/page.ts';
import { hashOfLinkToken } from '../accounts/user-token.ts';
import { PASSWORD_CHARS_MAX, PASSWORD_CHARS_MIN } from '../accounts/user.ts';
import { layout, tokenField } from './layout.ts';

/**
 * Why it did not work, and what to do about it. Unknown, used, expired and damaged links look alike. Where trying again
 * may help, a button leads back to the form.
 */
export const failurePages = (page: { path: string; forNewLink: string }): PageOptions => ({
  failure(failure) {
    const isBadLink = failure.error.extras.param === 'token' || failure.error.name === 'not_found_error';
    if (isBadLink) {
      return layout(
        'This link is not valid',
        html`<p>It was used before, has expired, or is not complete. ${page.forNewLink}</p>`,
      );
    }
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

function sentence({ error, status, requestId }: PageFailure): string {
  const { param, retryAfterSeconds = 60 } = error.extras;
  if (error.name === 'rate_limit_error') {
    const minutes = Math.ceil(retryAfterSeconds / 60);
    return `Too many attempts. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`;
  }
  if (status >= 500) return `We could not do this just now. Try again in a moment. If it stays, report ${requestId}.`;
  if (error.name === 'authentication_error')
    return 'There is an account with this address, and its password is another.';
  if (param === 'password') return `A password has ${PASSWORD_CHARS_MIN} to ${PASSWORD_CHARS_MAX} characters.`;
  if (param === 'name') return 'A name has at most 200 characters, on one line.';
  return 'The form could not be read.';
}
