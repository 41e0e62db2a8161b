import { actOnPeople, type RuledAct } from '#features/contacts';
import { unsubscribeAddress } from '#features/newsletters';
import { AppError } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { isFinal } from './automation-email.ts';
import type { Effect } from './interpret.ts';
import type { Turn } from './run.ts';
import { type Walk, withFailure, withSuccess } from './walk.ts';

type Change = Effect & { is: 'change' };

/** Carries out the steps that change contacts, in the page's transaction: runs at the same step all at once. */
export async function changeContacts(ctx: Ctx, walks: readonly Walk[]): Promise<Turn[]> {
  const changing = walks.flatMap((walk) =>
    walk.effect?.does.is === 'change' ? [{ walk, change: walk.effect.does }] : [],
  );
  const tests = changing.filter(({ walk }) => walk.run.isTest);
  const turns = tests.map(({ walk }) => withSuccess(walk, { skipped: 'a test changes nobody' }, true));
  const own = changing.filter(({ walk }) => !walk.run.isTest);
  for (const group of Map.groupBy(own, ({ change }) => JSON.stringify(change)).values()) {
    const [first] = group;
    if (first === undefined) continue;
    const emails = group.map(({ walk }) => walk.run.email);
    try {
      const changed = await carryOut(ctx, first.change, emails);
      turns.push(...group.map(({ walk }) => withSuccess(walk, { changed: changed.has(walk.run.email) })));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      turns.push(...group.map(({ walk }) => withFailure(walk, error.message, isFinal(error))));
    }
  }
  return turns;
}

/** Returns the addresses of those whom it changed. */
async function carryOut(ctx: Ctx, change: Change, emails: readonly string[]): Promise<Set<string>> {
  const { newsletter_id: newsletterId } = change.config;
  if (change.type === 'unsubscribe' && newsletterId !== undefined) {
    const left = new Set<string>();
    // Each leaves with a proof, an endpoint event and the counts of the list.
    for (const email of new Set(emails)) if (await unsubscribeAddress(ctx, { newsletterId, email })) left.add(email);
    return left;
  }
  return actOnPeople({ ...ctx, at: ctx.clock.now() }, actOf(change), emails);
}

function actOf({ type, config }: Change): RuledAct {
  if (type === 'update_contact') return { type: 'update', properties: config.properties ?? {} };
  return { type: type === 'unsubscribe' ? 'leave_list' : type, listId: config.list_id ?? '' };
}
