import type { Ctx } from '#platform/http/context.ts';
import { findTemplate } from './queries.ts';
import { fallbacksOf, type Variables } from './render-template.ts';
import type { Pinned } from './stored-template.ts';
import { sendableVersion } from './template-for-send.ts';

/** A stored template as mail to many keeps it: its texts are rendered for each recipient when they leave. */
export interface TemplateSources {
  templateId: string;
  version: number;
  subject: string | null;
  preheader: string | null;
  html: string | null;
  text: string | null;
  from: string | null;
  replyTo: readonly string[];
  pinned: Pinned;
  /** The given variables, with the fallbacks of the template for those that are not given. */
  variables: Variables;
  /** Required variables that were neither given nor have a fallback. */
  missing: readonly string[];
}

/**
 * The published version of a template, to be pinned with a send. 422 (`template_id`) when there is none, or when only
 * test keys may send it.
 */
export async function templateSources(
  ctx: Pick<Ctx, 'db' | 'workspaceId' | 'actor'>,
  id: string,
  given: Variables,
): Promise<TemplateSources> {
  const read = await sendableVersion(ctx, id, null, 'template_id');
  const { subject, preheader, html, text, from, replyTo, pinned } = read;
  const { values, missing } = fallbacksOf(read.variables, given);
  const texts = { subject, preheader, html, text, from, replyTo, pinned };
  return { templateId: read.templateId, version: read.version, ...texts, variables: values, missing };
}

export const templateExists = async (db: Ctx['db'], workspaceId: string, id: string): Promise<boolean> =>
  (await findTemplate(db, workspaceId, id)) !== undefined;
