import type { Static } from 'typebox';
import {
  fillSend,
  type FilledSend,
  readSend,
  requireNewsletter,
  requireSenderDomain,
  type SendInput,
} from '#features/emails';
import { inTransaction } from '#platform/db/database.ts';
import { conflict } from '#platform/errors/app-error.ts';
import { Faults } from '#platform/errors/faults.ts';
import type { Ctx } from '#platform/http/context.ts';
import { changedFields } from '#platform/records/changed-fields.ts';
import { deleteFiles, insertFiles } from '../queries/one.ts';
import { updateContent } from '../queries/moves.ts';
import { type Done, lockOpen } from '../reading/read-scheduled.ts';
import { type ScheduledEmail, whyClosed } from '../scheduled-email.ts';
import type { ChangeBody } from '../schemas.ts';
import { inputOf, pinnedInput, searchedText, storedOf } from '../stored-send.ts';
import type { ScheduledWiring } from '../wiring.ts';
import { requireBefore, requireTemplate } from './create-scheduled.ts';
import { requireSameMode } from './same-mode.ts';

const LEAVES_AS_IT_IS =
  'This is a message of the SMTP relay, which leaves as it came: it can be moved, sent now or cancelled.';

/** Another template does not have the version that was kept of the one before. */
const UNPINNED = { templateVersion: null };

/**
 * Changes what is given of an email that has not begun. The whole is judged like a new send: a change may not leave
 * anything that would be refused. Without an entry, nothing has changed.
 */
export async function changeScheduled(
  ctx: Ctx,
  wiring: ScheduledWiring,
  id: string,
  change: Static<typeof ChangeBody>,
): Promise<{ row: ScheduledEmail; done: Done | null }> {
  return inTransaction(ctx.db, async (tx) => {
    const inside = { ...ctx, db: tx };
    const before = await lockOpen(inside, id);
    requireSameMode(ctx, before);
    if (before.body.isMessage === true) throw conflict(LEAVES_AS_IT_IS);
    const { max_delay_seconds: maxDelay, attachments, ...given } = change;
    const input: SendInput = { ...inputOf(before), ...(given.templateId === undefined ? {} : UNPINNED), ...given };
    const whole = attachments === undefined ? input : { ...input, attachments };
    const read = await fillSend(inside, readSend(whole, new Faults(), ctx.clock.now()));
    await requireTemplate(tx, ctx.workspaceId, read.template);
    requireBefore(read.expiresAt, before.scheduledFor);
    const domain = await requireSenderDomain(inside, read.from.domain);
    await requireNewsletter(inside, read.newsletterId, wiring);
    const after = {
      ...storedOf(pinnedInput(input, read.template)),
      maxDelaySeconds: maxDelay === undefined ? before.maxDelaySeconds : maxDelay,
    };
    const details = changesOf(before, after, attachments !== undefined);
    if (details === null) return { row: before, done: null };
    if (attachments !== undefined) await replaceFiles(inside, before, read);
    const row = await updateContent(tx, before, {
      ...after,
      fromDomain: domain.domain,
      newsletterId: read.newsletterId,
      search: searchedText(read),
    });
    if (row === undefined) throw conflict(whyClosed(before));
    return { row, done: { row, action: 'updated', details } };
  });
}

async function replaceFiles(ctx: Ctx, row: ScheduledEmail, read: FilledSend): Promise<void> {
  await deleteFiles(ctx.db, row.workspaceId, row.id);
  await insertFiles(ctx.db, row.workspaceId, row.id, read.attachments);
}

/** Short fields with their values, others by their names: texts are long, and addresses are people. */
const SHOWN = ['subject', 'preheader', 'maxDelaySeconds', 'expiresAt', 'sandbox', 'trackOpens', 'trackClicks'] as const;

function changesOf(
  before: ScheduledEmail,
  after: ReturnType<typeof storedOf> & { maxDelaySeconds: number | null },
  filesReplaced: boolean,
): Record<string, unknown> | null {
  const flat = ({ body, html, text, maxDelaySeconds }: typeof after): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries({ ...body, html, text, maxDelaySeconds }).map(([name, value]) => [name, canonical(value)]),
    );
  const [old, now] = [flat(before), flat(after)];
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  const changed = changedFields(old, now, names);
  const fields = [...Object.keys(changed ?? {}), ...(filesReplaced ? ['attachments'] : [])];
  if (fields.length === 0) return null;
  return { fields, changes: changedFields(old, now, SHOWN) ?? {} };
}

/** The database orders the fields of objects in its own way. */
function canonical(value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, one]) => [name, canonical(one)]),
  );
}
