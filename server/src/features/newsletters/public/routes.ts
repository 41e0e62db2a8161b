import { evidenceOf } from '#features/consents';
import { pageFailures } from '#features/reader-pages';
import { Type } from 'typebox';
import { notFound } from '#platform/errors/app-error.ts';
import { answer, type Route, route } from '#platform/http/route.ts';
import { findNewsletterBySlug } from '../get-newsletter.ts';
import type { NewslettersWiring } from '../wiring.ts';
import { ofLink, ofSignUp } from './links/visit-failures.ts';
import { followConfirm, pressConfirm } from './links/follow-confirm.ts';
import {
  followLeft,
  followOutcome,
  followUnsubscribe,
  pressUnsubscribe,
  readLeaving,
  seeLeft,
} from './links/follow-unsubscribe.ts';
import { exportData, followData, pressData } from './links/follow-data.ts';
import { followNewLinks, pressNewLinks } from './links/new-links.ts';
import type { NewLinks } from './links/send-new-links.ts';
import { followPreferences, pressPreferences } from './links/follow-preferences.ts';
import { unlessPreview } from './links/preview-link.ts';
import { admitReading, admitSignUp } from './limits/public-limits.ts';
import { publicNewsletterView } from './sign-up/public-newsletter.ts';
import {
  DataBody,
  LinkQuery,
  NewLinksBody,
  PreferencesBody,
  PublicNewsletter,
  SendAgainBody,
  Slug,
  SubscribeAnswer,
  SubscribeBody,
} from './schemas.ts';
import { answerFor } from './sign-up/sign-up-answers.ts';
import { sendAgainPublicly, subscribePublicly } from './sign-up/subscribe-publicly.ts';

const TAG = 'Sign-up pages';
/** A form has a few short fields. */
const BODY_BYTES_MAX = 16_384;
/** One transparent dot, 43 bytes. */
const DOT = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');
const CACHED = 'public, max-age=60';
const DOWNLOAD = {
  'content-type': 'application/json; charset=utf-8',
  'content-disposition': 'attachment; filename="newsletters.json"',
};

/**
 * The routes that anybody may call from any page: signing up, and the targets of links in mail. They need no key and
 * no cookie. The newsletter of a link is known only by its signed claims.
 */
export function publicRoutes(wiring: NewslettersWiring, newLinks: NewLinks): Route[] {
  const signUp = {
    tag: TAG,
    access: 'public' as const,
    cors: true as const,
    params: Slug,
    admit: admitSignUp,
    response: SubscribeAnswer,
    page: ofSignUp(wiring),
    errors: [404, 422, 429],
  };
  const link = {
    tag: TAG,
    access: 'public' as const,
    query: LinkQuery,
  };
  /** The button that was pressed is named in the form or in the path; `readLeaving` reads it. */
  const body = { form: Type.Unknown(), alsoMultipart: true, bytesMax: BODY_BYTES_MAX } as const;
  const [ofConfirm, ofLeaving] = [ofLink(wiring, 'nl_confirm'), ofLink(wiring, 'nl_unsub')];
  const again = { tag: TAG, access: 'public' as const, page: pageFailures };
  const preferences = { ...link, page: ofLink(wiring, 'nl_prefs') };
  const data = { ...link, page: ofLink(wiring, 'nl_data') };
  return [
    route({
      ...signUp,
      method: 'POST',
      path: '/api/n/:slug/subscribe',
      id: 'subscribe_publicly',
      summary: 'Subscribe an address to a newsletter',
      description:
        'For forms on your own site: JSON or a plain HTML form, from any origin, without a key. The answer is ' +
        'the same whether or not the address is already on the list. A repeated call sends no second ' +
        'confirmation email. If `human_proof` of the newsletter is not null, a sign-up needs the field that the ' +
        'widget of that service makes; `resend` needs none.',
      body: { form: SubscribeBody, alsoJson: true, bytesMax: BODY_BYTES_MAX },
      example: { body: { email: 'ada@example.com' } },
      async handler(ctx, { params, body, request }) {
        const newsletter = await subscribePublicly(ctx, wiring, params.slug, {
          asked: body,
          evidence: evidenceOf(request, body),
        });
        return answer(...answerFor(ctx, request, { newsletter, body, again: false }));
      },
    }),
    route({
      ...signUp,
      method: 'POST',
      path: '/api/n/:slug/resend',
      id: 'resend_publicly',
      summary: 'Send the confirmation email again',
      description:
        'For a button "Send it again". An email is sent only if the address has not confirmed yet, and only a ' +
        'few times an hour. The answer is the same in every case.',
      body: { form: SendAgainBody, alsoJson: true, bytesMax: BODY_BYTES_MAX },
      example: { body: { email: 'ada@example.com' } },
      async handler(ctx, { params, body, request }) {
        const newsletter = await sendAgainPublicly(ctx, params.slug, body.email);
        return answer(...answerFor(ctx, request, { newsletter, body, again: true }));
      },
    }),
    route({
      method: 'GET',
      path: '/api/n/:slug',
      id: 'get_public_newsletter',
      admit: admitReading,
      tag: TAG,
      summary: 'Read the public data of a newsletter',
      access: 'public',
      cors: true,
      params: Slug,
      response: PublicNewsletter,
      errors: [404, 429],
      async handler(ctx, { params }) {
        const found = await findNewsletterBySlug(ctx.db, params.slug);
        if (found === undefined) throw notFound('newsletter', params.slug);
        return answer(publicNewsletterView(ctx.settings, found), { headers: { 'cache-control': CACHED } });
      },
    }),
    route({
      ...link,
      method: 'GET',
      path: '/api/n/confirm',
      id: 'follow_confirm_link',
      summary: 'Page: a subscription is confirmed',
      page: ofConfirm,
      handler: (ctx, { query, request }) => followConfirm(ctx, request, query.token),
    }),
    route({
      ...link,
      method: 'POST',
      path: '/api/n/confirm',
      id: 'press_confirm',
      summary: 'Page: the button of the page before was pressed',
      page: ofConfirm,
      body,
      handler: (ctx, { query, request }) => pressConfirm(ctx, request, query.token),
    }),
    route({
      ...again,
      method: 'GET',
      path: '/api/n/confirm/resend',
      id: 'show_new_links_page',
      summary: 'Page: new links to confirm are on their way',
      admit: admitReading,
      handler: async (ctx, { request }) => followNewLinks(ctx, request),
    }),
    route({
      ...again,
      method: 'POST',
      path: '/api/n/confirm/resend',
      id: 'press_new_links',
      summary: 'Page: a link was cut, and its reader asks for a new one by the address',
      admit: admitSignUp,
      body: { form: NewLinksBody, bytesMax: BODY_BYTES_MAX },
      handler: (ctx, { body, request }) => pressNewLinks(ctx, newLinks, request, body.email),
    }),
    route({
      ...link,
      method: 'GET',
      path: '/api/n/unsubscribe',
      id: 'follow_unsubscribe_link',
      summary: 'Page: somebody leaves a newsletter',
      page: ofLeaving,
      handler: (ctx, called) => unlessPreview(called, () => followUnsubscribe(ctx, called.request, called.query.token)),
    }),
    route({
      ...link,
      method: 'POST',
      path: '/api/n/unsubscribe',
      id: 'press_unsubscribe',
      summary: 'Page: one click of a mail program, or a button',
      page: ofLeaving,
      body,
      handler: (ctx, called) =>
        unlessPreview(called, async () => {
          const { query, request } = called;
          return pressUnsubscribe(ctx, request, query.token, readLeaving(request.body));
        }),
    }),
    route({
      ...link,
      method: 'GET',
      path: '/api/n/unsubscribe/outcome',
      id: 'follow_unsubscribe_outcome',
      summary: 'Page: how it stands after a visit to the link to leave',
      page: ofLeaving,
      handler: (ctx, called) => unlessPreview(called, () => followOutcome(ctx, called.request, called.query.token)),
    }),
    route({
      ...link,
      method: 'GET',
      path: '/api/n/unsubscribe/seen',
      id: 'see_unsubscribe_page',
      summary: 'Picture: a browser shows the page of the link to leave',
      hidden: true,
      response: { file: 'image/gif' },
      async handler(ctx, { query, request }) {
        await seeLeft(ctx, request, query.token);
        return answer(DOT, { headers: { 'cache-control': 'no-store', 'x-robots-tag': 'noindex' } });
      },
    }),
    ...(['undo', 'everywhere'] as const).map((pressed) =>
      route({
        ...link,
        method: 'GET',
        path: `/api/n/unsubscribe/${pressed}`,
        id: `follow_${pressed}`,
        summary: 'Page: a button of the page before was pressed, and this is how it stands',
        page: ofLeaving,
        handler: (ctx, called) => unlessPreview(called, () => followLeft(ctx, called.query.token, pressed)),
      }),
    ),
    ...(['undo', 'everywhere'] as const).map((pressed) =>
      route({
        ...link,
        method: 'POST',
        path: `/api/n/unsubscribe/${pressed}`,
        id: `press_${pressed}`,
        summary: 'Page: a button of the page before was pressed',
        page: ofLeaving,
        body,
        handler: (ctx, called) =>
          unlessPreview(called, () => pressUnsubscribe(ctx, called.request, called.query.token, pressed)),
      }),
    ),
    route({
      ...preferences,
      method: 'GET',
      path: '/api/n/preferences',
      id: 'follow_preferences_link',
      summary: 'Page: what somebody may see and change about themselves',
      handler: (ctx, called) =>
        unlessPreview(called, () => followPreferences(ctx, called.query.token, called.query.done)),
    }),
    route({
      ...preferences,
      method: 'POST',
      path: '/api/n/preferences',
      id: 'press_preferences',
      summary: 'Page: a button of the page before was pressed, or its form sent',
      body: { form: PreferencesBody, bytesMax: BODY_BYTES_MAX },
      handler: (ctx, called) =>
        unlessPreview(called, () => pressPreferences(ctx, called.request, called.query.token, called.body)),
    }),
    route({
      ...data,
      method: 'GET',
      path: '/api/n/data',
      id: 'follow_data_link',
      summary: 'Page: what somebody may do with what is on record about them',
      handler: (ctx, { query }) => followData(ctx, query.token, query.done),
    }),
    route({
      ...data,
      method: 'POST',
      path: '/api/n/data',
      id: 'press_data',
      summary: 'Page: a button of the page before was pressed; or the download',
      body: { form: DataBody, bytesMax: BODY_BYTES_MAX },
      async handler(ctx, { query, body, request }) {
        if (body.action !== 'export') return pressData(ctx, request, query.token, body.action);
        return answer(await exportData(ctx, query.token), { headers: DOWNLOAD });
      },
    }),
  ];
}
