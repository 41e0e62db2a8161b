import { requireNotStopped } from '#platform/errors/sending-stopped.ts';
import { findContactById, recordEvents } from '#features/contacts';
import { domainsOfKey, findSendingStop } from '#features/workspaces';
import { readAddress } from '#mail/addresses/read-address.ts';
import { countOrRefuse } from '#platform/attempts/attempt-limits.ts';
import { inTransaction } from '#platform/db/database.ts';
import { invalid, unacceptable } from '#platform/errors/app-error.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Ctx } from '#platform/http/context.ts';
import { gatherer } from '#platform/work/gatherer.ts';
import { checkReady, checkSenders, requireSending } from '../defining/check-definition.ts';
import { getAutomation } from '../defining/get-automation.ts';
import type { Happening } from './happening.ts';
import { type Heard, hear } from './hear.ts';
import { listErased } from './list-erased.ts';
import { newRun } from './new-run.ts';
import { startRuns } from './queries.ts';

const PAYLOAD_BYTES_MAX = 32 * 1024;

interface Told {
  email: string;
  payload?: Record<string, unknown> | null;
}

/** Throws 422 for data that is too large to be kept with every run. */
export function requireSmall(payload: Record<string, unknown>): void {
  if (Buffer.byteLength(JSON.stringify(payload), 'utf8') > PAYLOAD_BYTES_MAX) {
    throw unacceptable('payload', 'payload must be at most 32 KB as JSON.');
  }
}

/** Throws unless a person is named in one way, `email` or `contact_id`. */
export function requireOnePerson({ email, contact_id: id }: Omit<Partial<ToldOfContact>, 'name'>): void {
  if (email !== undefined && id !== undefined) throw invalid('contact_id', 'Give email or contact_id, not both');
  if (email === undefined && id === undefined) throw invalid('email', 'email is required, or contact_id');
}

function happeningOf(ctx: Ctx, type: string, { email, payload }: Told): Happening {
  const data = payload ?? {};
  requireSmall(data);
  const { identity } = readAddress(email, 'email');
  const of = { workspaceId: ctx.workspaceId, type, email: identity, newsletterId: null, payload: data, runId: null };
  return { ...of, sandbox: ctx.actor.mode === 'test' };
}

interface GivenEvent {
  secrets: Secrets;
  happening: Happening;
  name: string;
  at: Date;
}

/** Events that come together share a transaction, up to this many. */
const PAGE_MAX = 100;

const events = gatherer<GivenEvent, Heard>({
  pageMax: PAGE_MAX,
  store: (db, page) =>
    inTransaction(db, async (tx) => {
      const [first] = page;
      if (first === undefined) return [];
      const happenings = page.map(({ happening }) => happening);
      // Before the answer holds runs: whoever changes a contact holds it first, and its runs then.
      const live = page.filter(({ happening }) => !happening.sandbox);
      await recordEvents(
        tx,
        live.map(({ happening: { workspaceId, email }, name, at }) => ({ workspaceId, email, name, at })),
      );
      return hear({ db: tx, secrets: first.secrets }, happenings);
    }),
});

/** Tells automations and segments of an event of the caller's own. Returns when what it has done is committed. */
export async function receiveEvent(ctx: Ctx, { name, payload = null, ...who }: ToldOfContact): Promise<Heard> {
  const told = { email: await addressOf(ctx, who), payload };
  const happening = happeningOf(ctx, `event:${name}`, told);
  return events(ctx.db, { secrets: ctx.secrets, happening, name, at: ctx.clock.now() });
}

interface ToldOfContact extends Partial<Told> {
  name: string;
  contact_id?: string;
}

async function addressOf(ctx: Ctx, who: Omit<ToldOfContact, 'name'>): Promise<string> {
  requireOnePerson(who);
  const { email, contact_id: id = '' } = who;
  if (email !== undefined) return email;
  const contact = await findContactById(ctx.db, ctx.workspaceId, id);
  if (contact === undefined) throw unacceptable('contact_id', `There is no contact ${id} in this workspace.`);
  return contact.email;
}

/** Starts a run to look at: its waits pass at once, it calls nobody, and it counts in no figures. */
export async function startTest(ctx: Ctx, id: string, told: Told): Promise<string> {
  const automation = await getAutomation(ctx, id);
  await checkReady(ctx, ctx.db, automation.definition, { testKeys: true });
  await countOrRefuse(ctx, limitsOf(id), ctx.clock.now());
  const happening = happeningOf(ctx, automation.definition.trigger.type, told);
  await refuseErased(ctx, happening);
  const newsletterId = automation.definition.trigger.newsletter_id ?? null;
  const run = newRun(automation, { ...happening, newsletterId }, true);
  const [started] = await inTransaction(ctx.db, (tx) => startRuns(tx, [run]));
  if (started === undefined) throw new Error('a test was not let in');
  return started;
}

/** 422 for a person who asked to be forgotten. */
async function refuseErased(ctx: Ctx, { email }: Happening): Promise<void> {
  if ((await listErased(ctx, ctx.workspaceId, [email])).size > 0) {
    throw unacceptable('email', 'This person was erased, and enters no automation.');
  }
}

// As the tests of templates: enough for writing an automation, too few to mail people with.
const limitsOf = (id: string) => [
  { subject: `automation test hourly ${id}`, max: 30, windowSeconds: 3_600 },
  { subject: `automation test daily ${id}`, max: 100, windowSeconds: 86_400 },
];

/** Starts a run of an enabled automation, whatever its trigger. null: its re-entry lets this person in no more. */
export async function startRun(ctx: Ctx, id: string, told: Told): Promise<string | null> {
  const automation = await getAutomation(ctx, id);
  if (automation.status !== 'enabled')
    throw unacceptable('id', 'The automation is disabled: nobody enters. Enable it first.');
  requireSending(ctx);
  // A key of other domains may enable nothing that sends from this one, so it starts nothing either.
  if (domainsOfKey(ctx.actor).length > 0) await checkSenders(ctx, automation.definition);
  requireNotStopped(await findSendingStop(ctx.db, ctx.workspaceId));
  const happening = happeningOf(ctx, automation.definition.trigger.type, told);
  await refuseErased(ctx, happening);
  const newsletterId = automation.definition.trigger.newsletter_id ?? null;
  const run = newRun(automation, { ...happening, newsletterId });
  const [started] = await inTransaction(ctx.db, (tx) => startRuns(tx, [run]));
  return started ?? null;
}
