import type { Settings } from '#platform/config/settings.ts';
import type { PageOptions } from '#platform/http/page.ts';
import { strangerContext } from './page-context.ts';
import { notFoundPage, refusedPage } from './refusals.ts';

/** The answer of a page route when it fails, or when the HTTP layer refuses the request before it. */
export const pageFailures = (settings: Pick<Settings, 'dashboardUrl'>): PageOptions => ({
  failure({ error, status, requestId, request }) {
    const context = strangerContext(settings, request.headers['accept-language']);
    const { retryAfterSeconds = 60 } = error.extras;
    if (error.name === 'not_found_error') return notFoundPage(context);
    if (error.name === 'rate_limit_error') return refusedPage(context, { reason: 'too_many', retryAfterSeconds });
    if (status >= 500) return refusedPage(context, { reason: 'broken', requestId, status });
    return refusedPage(context, { reason: 'unreadable', status });
  },
});
