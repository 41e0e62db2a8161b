import { acceptedEmail, fillSend, readSend, requireSenderDomain } from '#features/emails';
import type { AcceptedSend } from '#features/outbox';
import type { TemplateLoader } from '#features/templates';
import { byName, leavingHeaders } from '#mail/list-mail/list-headers.ts';
import { AppError } from '#platform/errors/app-error.ts';
import { Faults } from '#platform/errors/faults.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { Step } from '../automation.ts';
import type { Facts } from './facts.ts';

/**
 * The variables of the templates of an automation: the payload by its own names too, and the person by the names that
 * broadcasts have, which use the same templates. A field of the payload wins over one of the person.
 */
const variablesOf = (
  { email, payload, subscriber, contact }: Facts,
  unsubscribeUrl: string | null,
): Record<string, unknown> => ({
  ...withoutNull({
    first_name: contact?.first_name,
    last_name: contact?.last_name,
    name: contact?.name ?? subscriber?.name,
  }),
  properties: { ...subscriber?.metadata, ...contact?.properties },
  ...payload,
  email,
  payload,
  contact,
  ...(unsubscribeUrl === null ? {} : { unsubscribe_url: unsubscribeUrl }),
  subscriber:
    subscriber === null
      ? null
      : { email: subscriber.email, name: subscriber.name, status: subscriber.status, metadata: subscriber.metadata },
});

/** A value that the person lacks is missing, so that the fallback of the template is used. */
const withoutNull = (fields: Readonly<Record<string, string | null | undefined>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null));

interface Asked {
  config: Step['config'];
  facts: Facts;
  isTest: boolean;
  /** The way out; null: the mail is transactional. */
  unsubscribeUrl: string | null;
  loadTemplate: TemplateLoader;
}

/** The email of a step, rendered for its person, by the rules of a send. The worker and a simulation both use it. */
export function renderEmail(ctx: Ctx, { config, facts, isTest, loadTemplate, unsubscribeUrl }: Asked) {
  const { template_id: templateId, template_version: templateVersion = null, from = null, subject = null } = config;
  const given = {
    to: facts.email,
    templateId: templateId ?? '',
    ...(templateVersion === null ? {} : { templateVersion }),
    ...(from === null ? {} : { from }),
    ...(subject === null ? {} : { subject }),
    variables: variablesOf(facts, unsubscribeUrl),
  };
  const read = readSend(given, new Faults(), ctx.clock.now());
  return fillSend(ctx, read, loadTemplate).then((filled) =>
    isTest ? { ...filled, subject: `[Test] ${filled.subject}`.slice(0, 998).toWellFormed() } : filled,
  );
}

/** The same, as the engine takes it. Mail with a way out names it to mail programs too (RFC 8058). */
export async function prepareEmail(
  ctx: Ctx,
  asked: Asked & { requireDomain: typeof requireSenderDomain },
  { runId, sandbox }: { runId: string; sandbox: boolean },
): Promise<AcceptedSend> {
  const rendered = await renderEmail(ctx, asked);
  const { unsubscribeUrl } = asked;
  const leaving = unsubscribeUrl === null ? {} : byName(leavingHeaders(unsubscribeUrl));
  const filled = { ...rendered, headers: { ...rendered.headers, ...leaving } };
  const domain = await asked.requireDomain(ctx, filled.from.domain);
  const send = acceptedEmail(ctx, filled, domain, { source: 'automation', automationRunId: runId });
  return { ...send, sandbox: send.sandbox || sandbox };
}

/** Whether trying again is of no use: what was asked for is at fault, and not the moment. */
export const isFinal = (error: AppError): boolean =>
  error.name === 'validation_error' || error.name === 'not_found_error';
