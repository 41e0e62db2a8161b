import { requireSenderDomain } from '#features/emails';
import { holdTemplates, listTemplateIds, templateForSend } from '#features/templates';
import { newslettersOfKey, requireKeyForNewsletter } from '#features/workspaces';
import { parseMailbox } from '#mail/addresses/addresses.ts';
import type { Db } from '#platform/db/database.ts';
import { AppError, forbidden, unacceptable } from '#platform/errors/app-error.ts';
import { Faults } from '#platform/errors/faults.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { SafeFetch } from '#platform/safe-fetch/safe-fetch.ts';
import { type Definition, type Step, templatesOf, type Trigger } from '../automation.ts';
import type { AutomationsWiring } from '../wiring.ts';
import { checkContactSteps, requireChanging } from './check-contact-steps.ts';
import type { DefinitionInput } from './definition-input.ts';
import { isNewsletterEvent } from '../step-fields.ts';

/** Refuses addresses that can never be reached. It asks the DNS, so it runs in no transaction. */
export async function checkUrls({ steps = [] }: DefinitionInput, safeFetch: SafeFetch): Promise<void> {
  const faults = new Faults();
  for (const [index, { config }] of steps.entries()) {
    const { url } = config;
    if (url !== undefined) await faults.collect(() => safeFetch.checkUrl(url, `steps[${index}].config.url`));
  }
  faults.throwIfAny();
}

/**
 * The definition with the ids of its templates. 422 for a template or a newsletter that is not there, 403 for one that
 * the caller's key may not use.
 */
export async function checkDefinition(
  ctx: Ctx,
  tx: Db,
  definition: Definition,
  ports: Pick<AutomationsWiring, 'missingNewsletters'>,
): Promise<Definition> {
  const faults = new Faults();
  const triggers: [string, Trigger | null][] = [
    ['trigger', definition.trigger],
    ...definition.exit_on.map((exit, index): [string, Trigger] => [`exit_on[${index}]`, exit]),
    ['goal', definition.goal],
  ];
  const asked = triggers.flatMap(([at, trigger]) => {
    const id = trigger?.newsletter_id ?? null;
    return id === null ? [] : [{ at, id }];
  });
  for (const [index, { config }] of definition.steps.entries()) {
    const id = config.newsletter_id;
    if (id !== undefined) asked.push({ at: `steps[${index}].config`, id });
  }
  for (const { id, at } of asked) requireKeyForNewsletter(ctx.actor, id, at);
  if (newslettersOfKey(ctx.actor).length > 0) refuseAllNewsletters(triggers);
  const missing = await ports.missingNewsletters(
    tx,
    ctx.workspaceId,
    asked.map(({ id }) => id),
  );
  for (const { at, id } of asked) {
    if (missing.includes(id))
      faults.unacceptable(`${at}.newsletter_id`, `There is no newsletter ${id} in this workspace.`);
  }
  await checkContactSteps(ctx, tx, definition, triggers, faults);
  const names = definition.steps.flatMap(({ config }) => config.template_id ?? []);
  const ids = names.length === 0 ? new Map<string, string>() : await listTemplateIds(tx, ctx.workspaceId, names);
  const steps = definition.steps.map((step, index): Step => {
    const name = step.config.template_id;
    if (name === undefined) return step;
    const id = ids.get(name);
    if (id === undefined) {
      const param = `steps[${index}].config.template_id`;
      faults.unacceptable(param, `There is no template ${name.slice(0, 100)} in this workspace.`);
      return step;
    }
    return { ...step, config: { ...step.config, template_id: id } };
  });
  faults.throwIfAny();
  return { ...definition, steps };
}

/** For a key of some newsletters: a trigger that names none hears of all, and the runs show whom. */
function refuseAllNewsletters(triggers: readonly (readonly [string, Trigger | null])[]): void {
  for (const [at, trigger] of triggers) {
    if (trigger === null || !isNewsletterEvent(trigger.type) || (trigger.newsletter_id ?? null) !== null) continue;
    throw forbidden(
      `This key is limited to newsletters: name one of them in ${at}.newsletter_id.`,
      `${at}.newsletter_id`,
    );
  }
}

/**
 * Refuses a definition that could not run now: a template without a published version, a sender that may not send. The
 * caller needs the permission to send, because people will be mailed.
 */
export async function checkReady(
  ctx: Ctx,
  tx: Db,
  definition: Definition,
  { testKeys = false }: { testKeys?: boolean } = {},
): Promise<void> {
  if (ctx.actor.mode === 'test' && !testKeys) {
    throw forbidden('A test key cannot enable an automation: it reaches nobody.');
  }
  const { steps } = definition;
  requireSending(ctx);
  requireChanging(ctx, steps);
  // A template that is gone is found below; the others stay until the automation is stored as one that sends them.
  await holdTemplates(tx, ctx.workspaceId, templatesOf(definition));
  await checkSenders({ ...ctx, db: tx }, definition);
}

/** Refuses a template without a published version, and a sender that the caller may not send from. */
export async function checkSenders(ctx: Ctx, { steps }: Definition): Promise<void> {
  const faults = new Faults();
  for (const [index, step] of steps.entries()) {
    if (step.type === 'send_email') await faults.collect(() => checkSending(ctx, step, `steps[${index}].config`));
  }
  faults.throwIfAny();
}

export function requireSending({ actor }: Ctx): void {
  if (!actor.may('emails:send')) throw forbidden('This sends email: it needs the scope "emails:send".');
}

async function checkSending(ctx: Ctx, { config }: Step, at: string): Promise<void> {
  const { template_id: name = null, template_version: version = null, subject = null, from = null } = config;
  const given = { subject, preheader: null, html: null, text: null };
  try {
    const template = await templateForSend(ctx, { name, version, given });
    const sender = from ?? template.from;
    if (sender === null) throw unacceptable('from', 'from is required: the template has none.');
    await requireSenderDomain(ctx, parseMailbox(sender).domain);
  } catch (error) {
    if (!(error instanceof AppError) || error.name !== 'validation_error') throw error;
    const { param = '' } = error.extras;
    const field = param === 'templateId' ? 'template_id' : param === 'templateVersion' ? 'template_version' : param;
    throw unacceptable(`${at}.${field}`, error.message);
  }
}
