import type { PageOptions } from '#platform/http/page.ts';
import { strangerContext } from '../reader-context.ts';
import { failurePage, notFoundPage } from './refusals.ts';

/** The answer of a page route when it fails, or when the HTTP layer refuses the request before it. */
export const pageFailures: PageOptions = {
  failure(failure) {
    const context = strangerContext(failure.request.headers['accept-language']);
    return failure.error.name === 'not_found_error' ? notFoundPage(context) : failurePage(context, failure);
  },
};
