import { answerPage, EXACT_TOTAL_MAX, listEnvelope, readPage } from '#platform/http/paging.ts';
import { recordVersion } from '#platform/http/record-version.ts';
import { type Route, route } from '#platform/http/route.ts';
import { changeNewsletter, readNewsletterChange } from './settings/change-newsletter.ts';
import { createNewsletter, permitNewNewsletter } from './settings/create-newsletter.ts';
import { getCountedNewsletter } from './get-newsletter.ts';
import { listNewsletters } from './list-newsletters.ts';
import { newsletterInList, newsletterView } from './newsletter.ts';
import { removeNewsletter } from './removal/remove-newsletter.ts';
import { readNewNewsletterFields, readNewsletterFields, readNewsletterInput } from './settings/newsletter-input.ts';
import { previewNewsletter } from './preview/preview-newsletter.ts';
import { resumeConfirmations } from './settings/resume-confirmations.ts';
import { lockNewsletter } from './queries.ts';
import * as schemas from './schemas.ts';
import type { NewslettersWiring } from './wiring.ts';

const version = recordVersion(schemas.UpdateNewsletterBody, (ctx, { id = '' }) =>
  lockNewsletter(ctx.db, ctx.workspaceId, id),
);

const TAG = 'Newsletters';

export const newsletterRoutes = (wiring: NewslettersWiring): Route[] => [
  route({
    method: 'GET',
    path: '/v1/newsletters',
    id: 'list_newsletters',
    tag: TAG,
    summary: 'List newsletters',
    description: 'Newest first. A key that is restricted to some newsletters sees only these.',
    access: { scope: 'newsletters:read' },
    query: schemas.NewslettersQuery,
    response: listEnvelope(schemas.NewsletterInList),
    handler: async (ctx, { query, request }) => {
      const page = readPage(query);
      const { rows, total } = await listNewsletters(ctx, page);
      const view = rows.map((row) => newsletterInList(row, ctx.settings.dashboardUrl));
      const totalIsEstimate = total !== null && total > EXACT_TOTAL_MAX;
      return answerPage(page, view, { total, url: request.url, totalIsEstimate });
    },
  }),
  route({
    method: 'POST',
    path: '/v1/newsletters',
    id: 'create_newsletter',
    version,
    tag: TAG,
    summary: 'Create a newsletter',
    description:
      'The newsletter has its own list and public sign-up pages from now on. 409 when the slug is taken; 422 ' +
      'when the domain of `from_email` is not verified.',
    access: { scope: 'newsletters:write' },
    permit: permitNewNewsletter,
    status: 201,
    body: { json: schemas.CreateNewsletterBody, read: readNewNewsletterFields },
    example: { body: { name: 'Acme Weekly', slug: 'acme-weekly', from_email: 'news@posthorn.test' } },
    response: schemas.Newsletter,
    errors: [409, 422],
    prepare: (ctx, { body }) => readNewsletterInput(ctx, body, wiring),
    handler: async (ctx, { body, prepared }) =>
      newsletterView(await createNewsletter(ctx, body, prepared), ctx.settings.dashboardUrl),
  }),
  route({
    method: 'GET',
    path: '/v1/newsletters/:id',
    id: 'get_newsletter',
    version,
    tag: TAG,
    summary: 'Read a newsletter',
    description: 'With its branding, its settings, and how many subscribers it has in each state.',
    access: { scope: 'newsletters:read' },
    params: schemas.NewsletterParams,
    response: schemas.Newsletter,
    errors: [404],
    handler: async (ctx, { params }) =>
      newsletterView(await getCountedNewsletter(ctx, params.id), ctx.settings.dashboardUrl),
  }),
  route({
    method: 'PATCH',
    path: '/v1/newsletters/:id',
    id: 'update_newsletter',
    version,
    tag: TAG,
    summary: 'Change a newsletter',
    description:
      'Only the fields in the body change; null clears a field. A new slug takes effect at once. An issue that ' +
      'is already being sent keeps the old settings.',
    access: { scope: 'newsletters:write' },
    params: schemas.NewsletterParams,
    body: { json: schemas.UpdateNewsletterBody, optional: true, read: readNewsletterFields },
    example: { body: { description: 'One email every Friday.', accent_color: '#1d4ed8' } },
    response: schemas.Newsletter,
    errors: [404, 409, 422],
    prepare: (ctx, { params, body }) => readNewsletterChange(ctx, params.id, body ?? {}, wiring),
    handler: async (ctx, { params, prepared }) =>
      newsletterView(await changeNewsletter(ctx, params.id, prepared), ctx.settings.dashboardUrl),
  }),
  route({
    method: 'POST',
    path: '/v1/newsletters/:id/preview',
    id: 'preview_newsletter',
    tag: TAG,
    summary: 'Preview a newsletter with other settings',
    description:
      'The sign-up page, its form and an issue as HTML, with the settings in the body in place of the stored ones. ' +
      'Nothing is stored. The domain of `from_email` need not be verified. The newest issue is shown to callers with ' +
      '`issues:read`.',
    access: { scope: 'newsletters:read' },
    // A form that is being filled in asks after each pause.
    unlogged: true,
    params: schemas.NewsletterParams,
    body: { json: schemas.UpdateNewsletterBody, optional: true, read: readNewsletterFields },
    example: { body: { accent_color: '#1d4ed8', language: 'de' } },
    response: schemas.NewsletterPreview,
    errors: [404, 422],
    handler: (ctx, { params, body }) => previewNewsletter(ctx, params.id, body ?? {}),
  }),
  route({
    method: 'DELETE',
    path: '/v1/newsletters/:id',
    id: 'delete_newsletter',
    version,
    tag: TAG,
    summary: 'Delete a newsletter with everything in it',
    description:
      'The newsletter stops at once. Scheduled issues never start. No more emails of issues that are being ' +
      'sent are handed over, not even queued ones; if there are such issues, `issues:send` is needed too. ' +
      'Subscribers, issues, statistics and consents are deleted and cannot be restored: first export the data ' +
      'that you must keep.',
    access: { scope: 'newsletters:write' },
    params: schemas.NewsletterParams,
    response: schemas.Removed,
    errors: [404],
    handler: async (ctx, { params }) => {
      await removeNewsletter(ctx, params.id);
      return { success: true, id: params.id };
    },
  }),
  route({
    method: 'POST',
    path: '/v1/newsletters/:id/resume-confirmations',
    id: 'resume_confirmations',
    version,
    tag: TAG,
    summary: 'Resume confirmation emails',
    description:
      'Posthorn pauses confirmation emails (`confirmations_paused_at`) when sign-ups are so frequent that ' +
      'somebody probably abuses the form. 409 when they are not paused.',
    access: { scope: 'newsletters:write' },
    params: schemas.NewsletterParams,
    response: schemas.Newsletter,
    errors: [404, 409],
    handler: async (ctx, { params }) =>
      newsletterView(await resumeConfirmations(ctx, params.id), ctx.settings.dashboardUrl),
  }),
];
