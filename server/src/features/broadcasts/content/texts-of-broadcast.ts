import { type TemplateSources, templateSources } from '#features/templates';
import { unacceptable } from '#platform/errors/app-error.ts';
import type { Broadcast } from '../broadcast.ts';
import type { BroadcastsCtx } from '../broadcasts-ctx.ts';
import { OF_CONTACT } from './contact-variables.ts';

/** A broadcast with the texts, the sender and the variables of its template in the places of its own that are empty. */
export interface FilledBroadcast extends Omit<Broadcast, 'subject' | 'html'> {
  subject: string;
  html: string;
  pinned: TemplateSources['pinned'] | undefined;
}

/** Throws 422 for a template that is not there or not published, and for a variable of it that nobody gives. */
export async function fillBroadcast(ctx: BroadcastsCtx, broadcast: Broadcast): Promise<FilledBroadcast> {
  const { templateId, variables: given, subject, html } = broadcast;
  if (templateId === null) return { ...broadcast, subject: subject ?? '', html: html ?? '', pinned: undefined };
  const template = await templateSources(ctx, templateId, given);
  const missing = template.missing.find((key) => !OF_CONTACT.includes(key.split('.', 1)[0] ?? ''));
  if (missing !== undefined) {
    throw unacceptable(`variables.${missing}`, `variables.${missing} is required by the template.`);
  }
  return {
    ...broadcast,
    templateVersion: template.version,
    subject: subject ?? template.subject ?? '',
    preheader: broadcast.preheader ?? template.preheader,
    html: template.html ?? '',
    text: template.text,
    sender: broadcast.sender ?? template.from,
    replyTo: broadcast.replyTo.length > 0 ? broadcast.replyTo : [...template.replyTo],
    variables: { ...template.variables },
    pinned: template.pinned,
  };
}
