import { Type } from 'typebox';
import { PREVIEW_TOKEN } from '#features/compositions';
import { badLinkPage, failurePage, previewPage, strangerContext } from '#features/reader-pages';
import type { PageOptions } from '#platform/http/page.ts';
import { type Route, route } from '#platform/http/route.ts';
import { followContactLink, pressContactLink } from './choose-mail.ts';

/** A form has a few short fields. */
const BODY_BYTES_MAX = 16_384;

const ofLink: PageOptions = {
  async failure(failure) {
    const { error, request } = failure;
    const stranger = strangerContext(request.headers['accept-language']);
    if (error.extras.param !== 'token') return failurePage(stranger, failure);
    return badLinkPage(stranger, null);
  },
};

const link = {
  tag: 'Broadcasts',
  access: 'public',
  query: Type.Object({
    token: Type.String({ maxLength: 2_000, description: 'Of the link in an email.' }),
    done: Type.Optional(Type.String({ maxLength: 100, description: '`saved`: a button led here.' })),
  }),
  page: ofLink,
} as const;

const preview = (acceptLanguage: string | undefined) => previewPage(strangerContext(acceptLanguage));

/** The way out of mail to contacts. It needs no key: the link says who leaves. */
export const contactLinkRoutes: Route[] = [
  route({
    ...link,
    method: 'GET',
    path: '/api/c/unsubscribe',
    id: 'follow_contact_link',
    summary: 'Page: a contact chooses the mail that they get',
    handler: async (ctx, { query, request }) =>
      query.token === PREVIEW_TOKEN
        ? preview(request.headers['accept-language'])
        : followContactLink(ctx, request, query.token, query.done),
  }),
  route({
    ...link,
    method: 'POST',
    path: '/api/c/unsubscribe',
    id: 'press_contact_link',
    summary: 'Page: one click of a mail program, or a button',
    body: { form: Type.Unknown(), alsoMultipart: true, bytesMax: BODY_BYTES_MAX },
    handler: async (ctx, { query, request }) =>
      query.token === PREVIEW_TOKEN
        ? preview(request.headers['accept-language'])
        : pressContactLink(ctx, request, query.token, request.body),
  }),
];
