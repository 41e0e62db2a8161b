import { contactLeavingUrl } from '#features/broadcasts';
import { ensureContacts } from '#features/contacts';
import { leavingUrl } from '#features/newsletters';
import type { Ctx } from '#platform/http/context.ts';
import type { Step } from '../automation.ts';
import type { Facts } from './facts.ts';
import type { Walk } from './walk.ts';

/** An email of a page that is to be made now. */
export interface Mailing {
  walk: Walk;
  facts: Facts;
  config: Step['config'];
}

export type WayOut = { unsubscribeUrl: string | null } | { wantsNone: true };

/**
 * The way out of mail that is not transactional: of the newsletter of the run, or else of all mail to contacts. A
 * stranger becomes a contact, so that there is something to leave: one statement for the page. Somebody who had left
 * before wants none. A test is mailed without one.
 */
export async function waysOut(ctx: Ctx, mailings: readonly Mailing[]): Promise<Map<Walk, WayOut>> {
  const strangers = mailings.filter(
    ({ walk, facts, config }) => needsContact(facts, config) && facts.contact === null && !walk.run.isTest,
  );
  const emails = strangers.map(({ facts }) => facts.email);
  const added = emails.length === 0 ? [] : await ensureContacts({ ...ctx, at: ctx.clock.now() }, emails);
  const addedOf = new Map(added.map((one) => [one.email, one]));
  const ways = await Promise.all(
    mailings.map(async ({ walk, facts, config }): Promise<[Walk, WayOut]> => {
      if (!needsContact(facts, config)) return [walk, { unsubscribeUrl: await urlOf(ctx, walk, facts, config) }];
      const contact = addedOf.get(facts.email);
      const contactId = facts.contact?.id ?? contact?.id;
      if (walk.run.isTest && contactId === undefined) return [walk, { unsubscribeUrl: null }];
      // An erased person does not become a contact again.
      if (contactId === undefined || (contact?.unsubscribedAt ?? null) !== null) return [walk, { wantsNone: true }];
      const of = { contactId, mailingId: walk.run.automationId, email: facts.email };
      return [walk, { unsubscribeUrl: await contactLeavingUrl(ctx, of) }];
    }),
  );
  return new Map(ways);
}

const needsContact = ({ hasNewsletter }: Facts, { transactional }: Step['config']): boolean =>
  transactional !== true && !hasNewsletter;

async function urlOf(
  ctx: Ctx,
  { run: { newsletterId } }: Walk,
  { subscriber }: Facts,
  { transactional }: Step['config'],
): Promise<string | null> {
  if (transactional === true || newsletterId === null || subscriber === null) return null;
  const { id: subscriberId, email: address } = subscriber;
  return leavingUrl(ctx, { workspaceId: ctx.workspaceId, newsletterId, subscriberId, address });
}
