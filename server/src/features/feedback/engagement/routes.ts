import type { bulkSends } from '#features/outbox';
import { readClickToken, readOpenToken } from '#mail/tracking/token.ts';
import { locationOf } from '#mail/tracking/link-target.ts';
import { invalid } from '#platform/errors/app-error.ts';
import type { RouteInput } from '#platform/http/route.ts';
import { answer, type Route, route } from '#platform/http/route.ts';
import { brokenLink } from './broken-link-page.ts';
import type { EngagementType } from './engagement.ts';
import type { Engagement, EngagementRecorder } from './record-engagement.ts';

const TAG = 'Tracking';
/** One transparent dot, 43 bytes. */
const DOT = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');

/**
 * Where the pixel and the links of tracked mail lead. A star in place of a parameter, because parameters are shorter
 * than links. Nothing of a request but the signed token says where a link leads, and its sender may have redirected it
 * since; a click waits for the database at most a moment, to hear of that.
 */
export function engagementRoutes(parts: {
  key: Buffer;
  recorder: EngagementRecorder;
  redirects: Pick<ReturnType<typeof bulkSends.createLinkRedirects>, 'leadsTo'>;
}): Route[] {
  const { key, recorder, redirects } = parts;
  return [
    route({
      method: 'GET',
      path: '/t/o/*',
      id: 'get_open_pixel',
      tag: TAG,
      summary: 'Picture: an email was opened',
      access: 'public',
      hidden: true,
      opaque: true,
      response: { file: 'image/gif' },
      async handler(ctx, input) {
        const email = readOpenToken(tokenOf(input).replace(/\.gif$/, ''), key);
        if (email !== undefined) note(recorder, { ...email, link: '', ipAddress: ctx.ip }, 'open', input);
        return answer(DOT, { headers: { 'x-robots-tag': 'noindex' } });
      },
    }),
    route({
      method: 'GET',
      path: '/t/c/*',
      id: 'follow_link',
      tag: TAG,
      summary: 'Page: a link of an email is followed',
      access: 'public',
      page: brokenLink,
      opaque: true,
      async handler(ctx, input) {
        const click = readClickToken(tokenOf(input), key);
        if (click === undefined) throw invalid('token', 'The link is not one of ours, or not complete.');
        const link = await redirects.leadsTo(click);
        note(recorder, { ...click, link, ipAddress: ctx.ip }, 'click', input);
        return answer('', { status: 302, headers: { location: locationOf(link) } });
      },
    }),
  ];
}

type Input = Pick<RouteInput<never, never, never>, 'request'>;

/** Of the path as it was written: nothing but our own letters is a token, and those need no decoding. */
function tokenOf({ request }: Input): string {
  const path = request.url.split('?', 1)[0] ?? '';
  return path.slice('/t/c/'.length);
}

/** HEAD asks what a GET would answer, and is no visit. */
function note(
  recorder: EngagementRecorder,
  of: Omit<Engagement, 'type' | 'userAgent' | 'purposes'>,
  type: EngagementType,
  { request }: Input,
): void {
  if (request.method === 'HEAD') return;
  const purposes = ['purpose', 'sec-purpose', 'x-purpose', 'x-moz'].flatMap((name) => request.headers[name] ?? []);
  const userAgent = (request.headers['user-agent'] ?? '').toWellFormed();
  recorder.record({
    workspaceId: of.workspaceId,
    emailId: of.emailId,
    link: of.link,
    ipAddress: of.ipAddress,
    type,
    userAgent,
    purposes,
  });
}
