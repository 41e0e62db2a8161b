import { answerPage, listEnvelope, readKeyedPage, readPage } from '#platform/http/paging.ts';
import { recordVersion } from '#platform/http/record-version.ts';
import { type Route, route } from '#platform/http/route.ts';
import { changeTemplate, publishTemplate, rollBackTemplate } from './change-template.ts';
import { createTemplate, duplicateTemplate, type WrittenTemplate } from './create-template.ts';
import { getTemplate, getVersion } from './get-template.ts';
import { countTemplates, countVersions, lockTemplate, pageOfTemplates, pageOfVersions } from './queries.ts';
import { removeTemplate, usersOfTemplate } from './remove-template.ts';
import { renderTemplate } from './render-template.ts';
import * as schemas from './schemas.ts';
import { summaryView, templateView, versionStatus } from './stored-template.ts';
import { readDuplicate, readNewTemplate, readTemplateChange, readTest } from './template-input.ts';
import type { TemplatePorts } from './wiring.ts';

const version = recordVersion(schemas.UpdateTemplateBody, (ctx, { id = '' }) =>
  lockTemplate(ctx.db, ctx.workspaceId, id),
);

const view = ({ template, version: written }: WrittenTemplate) => templateView(template, written);

const one = { tag: 'Templates', params: schemas.TemplateParams } as const;
const readers = { scope: 'templates:read' } as const;
const writers = { scope: 'templates:write' } as const;

export const templateRoutes = (ports: TemplatePorts): Route[] => [
  route({
    path: '/v1/templates',
    aliases: ['/api/v1/templates'],
    method: 'POST',
    id: 'create_template',
    version,
    tag: 'Templates',
    summary: 'Create a template',
    description:
      'Stores a template as version 1 and publishes it, unless `publish` is false. 422 names what cannot be read, a ' +
      'layout or partial that is not published, and a sample that does not render; 409 an alias that is taken.',
    access: writers,
    status: 201,
    body: { json: schemas.CreateTemplateBody, read: readNewTemplate },
    example: {
      body: {
        name: 'Receipt',
        alias: 'receipt',
        subject: 'Your receipt',
        html: '<p>Hi {{ name | default: "there" }}</p>',
      },
    },
    response: schemas.TemplateRecord,
    errors: [409, 422],
    handler: async (ctx, { body }) => view(await createTemplate(ctx, body)),
  }),
  route({
    path: '/v1/templates',
    aliases: ['/api/v1/templates'],
    method: 'GET',
    id: 'list_templates',
    tag: 'Templates',
    summary: 'List templates',
    description: 'Newest first, without subjects and bodies.',
    access: readers,
    query: schemas.TemplatesQuery,
    response: listEnvelope(schemas.TemplateSummary),
    handler: async (ctx, { query, request }) => {
      const page = readPage(query);
      const { after, offset } = page;
      const asked = { search: query.search ?? null, status: query.status ?? null };
      const rows = await pageOfTemplates(ctx.db, ctx.workspaceId, { ...asked, after, offset, limit: page.limit + 1 });
      const total = after === null ? await countTemplates(ctx.db, ctx.workspaceId, asked) : null;
      return answerPage(page, rows.map(summaryView), { total, url: request.url });
    },
  }),
  route({
    ...one,
    path: '/v1/templates/:id',
    aliases: ['/api/v1/templates/:id'],
    method: 'GET',
    id: 'get_template',
    version,
    summary: 'Read a template',
    description: 'By its id or its alias: the newest version, or the one that is named.',
    access: readers,
    query: schemas.VersionQuery,
    response: schemas.TemplateRecord,
    errors: [404],
    handler: async (ctx, { params, query }) => {
      const template = await getTemplate(ctx, params.id);
      const wanted = query.version === undefined ? null : Number(query.version);
      return templateView(template, await getVersion(ctx, template, wanted));
    },
  }),
  route({
    ...one,
    path: '/v1/templates/:id',
    aliases: ['/api/v1/templates/:id'],
    method: 'PATCH',
    id: 'update_template',
    version,
    summary: 'Change a template',
    description:
      'Only the fields in the body change. A change of the content makes the next version, which is published unless ' +
      '`publish` is false; `name` and `alias` belong to the template and change at once.',
    access: writers,
    body: { json: schemas.UpdateTemplateBody, read: readTemplateChange },
    example: { body: { subject: 'Your receipt, {{ name | default: "friend" }}' } },
    response: schemas.TemplateRecord,
    errors: [404, 409, 422],
    handler: async (ctx, { params, body }) => view(await changeTemplate(ctx, params.id, body)),
  }),
  route({
    ...one,
    path: '/v1/templates/:id',
    aliases: ['/api/v1/templates/:id'],
    method: 'DELETE',
    id: 'delete_template',
    version,
    summary: 'Delete a template',
    description:
      'With its versions. Mail that was accepted is not touched. 409 when other templates are made of it or ' +
      'scheduled emails wait with it or an enabled automation sends it, unless `?force=true`: published versions of ' +
      'other templates keep their copies; the scheduled emails and the steps of automations fail.',
    access: writers,
    query: schemas.DeleteQuery,
    response: schemas.Deleted,
    errors: [404, 409],
    handler: async (ctx, { params, query }) => {
      await removeTemplate(ctx, params.id, { ...ports, force: query.force === 'true' });
      return { success: true };
    },
  }),
  route({
    ...one,
    path: '/v1/templates/:id/render',
    aliases: ['/api/v1/templates/:id/render'],
    method: 'POST',
    id: 'render_template',
    summary: 'Render a template',
    description:
      'As a send would, for the given variables; required ones that are missing are listed and left empty. 422 when ' +
      'the template cannot be rendered: `param` names the field.',
    access: readers,
    body: { json: schemas.RenderBody, optional: true },
    example: { body: { variables: { name: 'Ada' } } },
    response: schemas.Rendered,
    errors: [404, 422],
    handler: async (ctx, { params, body }) => {
      const wanted = await getVersion(ctx, await getTemplate(ctx, params.id), body?.version);
      return renderTemplate(wanted, body?.variables ?? {}, { strict: false });
    },
  }),
  route({
    ...one,
    path: '/v1/templates/:id/send-test',
    aliases: ['/api/v1/templates/:id/send-test'],
    method: 'POST',
    id: 'send_template_test',
    summary: 'Send a test of a template',
    description:
      'Renders the newest version, or the one that is named, and sends it to one address with `[Test]` before the ' +
      'subject. A draft can be tested too. It counts in no statistic. At most 30 an hour and 100 a day: 429.',
    access: { scope: 'emails:send', newMail: true },
    body: { json: schemas.SendTestBody, read: readTest },
    example: { body: { to: 'ada@example.com', variables: { name: 'Ada' } } },
    response: schemas.TestSent,
    errors: [404, 422, 429],
    handler: async (ctx, { params, body }) => {
      const template = await getTemplate(ctx, params.id);
      const wanted = await getVersion(ctx, template, body.version);
      const rendered = await renderTemplate(wanted, body.variables ?? {}, { strict: true });
      const { from, replyTo, version: number } = wanted;
      const test = { templateId: template.id, version: number, from, replyTo, rendered, to: body.to };
      const { to, emailId } = await ports.sendTest(ctx, test);
      return { success: true, to, emailId };
    },
  }),
  route({
    ...one,
    path: '/v1/templates/:id/versions',
    aliases: ['/api/v1/templates/:id/versions'],
    method: 'GET',
    id: 'list_template_versions',
    summary: 'List the versions of a template',
    description: 'Newest first. A draft that is 100 versions behind is removed.',
    access: readers,
    query: schemas.PageQuery,
    response: listEnvelope(schemas.TemplateVersionRecord),
    errors: [404],
    handler: async (ctx, { params, query, request }) => {
      const template = await getTemplate(ctx, params.id);
      const page = readKeyedPage(query, (key) => /^[0-9]{1,9}$/.test(key));
      const { after, offset, afterKey } = page;
      const before = afterKey === null ? null : Number(afterKey);
      const asked = { templateId: template.id, before, offset, limit: page.limit + 1 };
      const found = await pageOfVersions(ctx.db, ctx.workspaceId, asked);
      const total = after === null ? await countVersions(ctx.db, ctx.workspaceId, template.id) : null;
      const rows = found.map((row) => ({ ...row, id: template.id }));
      return answerPage(page, rows, {
        total,
        url: request.url,
        timeOf: (index) => String(rows[index]?.version),
        view: (row) => ({
          version: row.version,
          status: versionStatus(template, row),
          created_at: row.createdAt,
          created_by: row.createdBy,
        }),
      });
    },
  }),
  route({
    ...one,
    path: '/v1/templates/:id/publish',
    aliases: ['/api/v1/templates/:id/publish'],
    method: 'POST',
    id: 'publish_template',
    changes: { path: '/v1/templates/:id', version },
    version,
    summary: 'Publish a version of a template',
    description:
      'From now on this version sends; the newest when none is named. A draft is made of the layouts and partials that ' +
      'are published now. 422 names a sample that does not render.',
    access: writers,
    body: { json: schemas.PublishBody, optional: true },
    example: { body: { version: 1 } },
    response: schemas.TemplateRecord,
    errors: [404, 422],
    handler: async (ctx, { params, body }) => view(await publishTemplate(ctx, params.id, body?.version ?? null)),
  }),
  route({
    ...one,
    path: '/v1/templates/:id/rollback',
    aliases: ['/api/v1/templates/:id/rollback'],
    method: 'POST',
    id: 'roll_back_template',
    changes: { path: '/v1/templates/:id', version },
    version,
    summary: 'Return to a version of a template',
    description: 'Makes a new version of it, with the layouts and partials that it had, and publishes that.',
    access: writers,
    body: { json: schemas.RollbackBody },
    example: { body: { version: 1 } },
    response: schemas.TemplateRecord,
    errors: [404, 422],
    handler: async (ctx, { params, body }) => view(await rollBackTemplate(ctx, params.id, body.version)),
  }),
  route({
    ...one,
    path: '/v1/templates/:id/duplicate',
    aliases: ['/api/v1/templates/:id/duplicate'],
    method: 'POST',
    id: 'duplicate_template',
    version,
    summary: 'Duplicate a template',
    description: 'Makes another template of the newest version, without an alias unless one is given.',
    access: writers,
    status: 201,
    body: { json: schemas.DuplicateBody, optional: true, read: readDuplicate },
    example: { body: { name: 'Receipt for friends' } },
    response: schemas.TemplateRecord,
    errors: [404, 409],
    handler: async (ctx, { params, body }) => view(await duplicateTemplate(ctx, params.id, body ?? {})),
  }),
  route({
    ...one,
    path: '/v1/templates/:id/used-by',
    aliases: ['/api/v1/templates/:id/used-by'],
    method: 'GET',
    id: 'list_users_of_template',
    summary: 'List what uses a template',
    access: readers,
    response: schemas.UsedBy,
    errors: [404],
    handler: async (ctx, { params }) => usersOfTemplate(ctx, params.id, ports),
  }),
];
