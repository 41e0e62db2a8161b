import { unacceptable } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { readVariables } from './pin-template.ts';
import { findTemplate, findVersion } from './queries.ts';
import { type RenderedTemplate, templateRenderer } from './render-template.ts';
import type { Template, TemplateVersion, TemplateVariable } from './stored-template.ts';

/** The texts of a send; null where it gives none. */
interface GivenTexts {
  subject: string | null;
  preheader: string | null;
  html: string | null;
  text: string | null;
}

export interface TemplateForSend {
  /** null: the send has no stored template. */
  template: { id: string; version: number } | null;
  from: string | null;
  replyTo: readonly string[];
  render(variables: Readonly<Record<string, unknown>>, options: { strict: boolean }): RenderedTemplate;
}

type Asking = Pick<Ctx, 'db' | 'workspaceId' | 'actor'>;

export type TemplateLoader = typeof templateForSend;

/**
 * The texts of a send, ready to be rendered for its recipients. A subject and a preheader of the send take the place of
 * the template's. 422 when there is no such template, or when it may not send: a live key names versions that were
 * published once.
 */
export async function templateForSend(
  ctx: Asking,
  { name, version, given }: { name: string | null; version: number | null; given: GivenTexts },
): Promise<TemplateForSend> {
  if (name === null) {
    const pinned = { layouts: [], partials: {} };
    const variables = await readVariables(given, pinned);
    return { template: null, from: null, replyTo: [], render: await templateRenderer({ ...given, variables, pinned }) };
  }
  const read = await sendableVersion(ctx, name, version);
  const { html, text, pinned } = read;
  const own = { subject: given.subject, preheader: given.preheader, html: null, text: null };
  const variables = withOthers(read.variables, await readVariables(own, pinned));
  const subject = given.subject ?? read.subject;
  const preheader = given.preheader ?? read.preheader;
  return {
    template: { id: read.templateId, version: read.version },
    from: read.from,
    replyTo: read.replyTo,
    render: await templateRenderer({ subject, preheader, html, text, variables, pinned }),
  };
}

const withOthers = (of: readonly TemplateVariable[], others: readonly TemplateVariable[]): TemplateVariable[] => [
  ...of,
  ...others.filter(({ key }) => !of.some((one) => one.key === key)),
];

/** `param`: the name of the field that names the template. */
export async function sendableVersion(
  ctx: Asking,
  name: string,
  version: number | null,
  param = 'templateId',
): Promise<TemplateVersion> {
  const template = await findTemplate(ctx.db, ctx.workspaceId, name);
  if (template === undefined) {
    throw unacceptable(param, `There is no template ${name.slice(0, 100)} in this workspace.`);
  }
  const mayBeDraft = ctx.actor.mode === 'test';
  const number = version ?? template.publishedVersion ?? (mayBeDraft ? template.version : null);
  if (number === null) throw notPublished(template, param);
  const read = await findVersion(ctx.db, ctx.workspaceId, template.id, number);
  if (read === undefined) throw unacceptable('templateVersion', `The template has no version ${number}.`);
  if (read.publishedAt === null && !mayBeDraft) {
    throw unacceptable('templateVersion', `Version ${number} was never published: only test keys send drafts.`);
  }
  return read;
}

const notPublished = ({ name }: Template, param: string) =>
  unacceptable(param, `The template "${name}" was never published: only test keys send drafts.`);
