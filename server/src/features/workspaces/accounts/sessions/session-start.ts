import type { IncomingHttpHeaders } from 'node:http';
import { Type } from 'typebox';
import { invalid } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { SessionStart } from './open-session.ts';
import { refuseForeignPage } from './own-pages-only.ts';

/** For the reference: the header is read below. */
export const SessionHeader = Type.Object({
  'X-Posthorn-Session': Type.Optional(
    Type.Literal('cookie', {
      description:
        'For browsers: the answer sets an HttpOnly cookie and has no tokens. Every change with the cookie then needs ' +
        'the header `X-Posthorn-Csrf: 1`.',
    }),
  ),
});

/**
 * How the caller wants to keep its session. A page of another site could sign a person in as somebody else, so it may
 * not ask for a cookie.
 */
export function sessionStart(ctx: Ctx, { headers }: { headers: IncomingHttpHeaders }): SessionStart {
  const userAgent = headers['user-agent'];
  const asked = headers['x-posthorn-session'];
  if (asked === undefined) return { userAgent, kind: 'refresh' };
  if (asked !== 'cookie')
    throw invalid('X-Posthorn-Session', 'X-Posthorn-Session must be "cookie"; leave it out for tokens');
  refuseForeignPage(headers, ctx.settings);
  return { userAgent, kind: 'cookie' };
}
