import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { systemClock } from '#platform/clock.ts';
import { newId } from '#platform/ids.ts';
import { createLog } from '#platform/log.ts';
import { anEmail, aWorkspace } from '../../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import {
  bounceEvent,
  clickEvent,
  complaintEvent,
  deliveryDelayEvent,
  deliveryEvent,
  openEvent,
  rejectEvent,
  type SesEvent,
  type SesMail,
  sendEvent,
} from '../../../../test/harness/ses-payloads.ts';
import { feedbackService } from '../feedback-service.ts';
import { readSesNotification } from './read-ses-notification.ts';
import { storeNotification } from './store-notification.ts';
import { propertyRuns } from '../../../../test/harness/property-runs.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

const log = createLog({ level: 'silent' });
const RUNS = propertyRuns({ test: 7, prove: 30 });
const sentAt = new Date(Date.now() - 3_600_000);
const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
const later = (seconds: number): string => new Date(sentAt.getTime() + seconds * 1_000).toISOString();

const kinds: ((mail: SesMail) => SesEvent)[] = [
  sendEvent,
  (mail) => deliveryEvent(mail, { timestamp: later(5) }),
  (mail) => deliveryDelayEvent(mail, { timestamp: later(3) }),
  (mail) => bounceEvent(mail, { timestamp: later(60) }),
  (mail) =>
    bounceEvent(mail, {
      timestamp: later(61),
      bounceType: 'Transient',
      bounceSubType: 'MailboxFull',
      feedbackId: 'soft',
    }),
  (mail) =>
    bounceEvent(mail, {
      timestamp: later(62),
      bounceType: 'Undetermined',
      bounceSubType: 'Undetermined',
      feedbackId: 'unclear',
    }),
  (mail) => complaintEvent(mail, { timestamp: later(600) }),
  rejectEvent,
  (mail) => openEvent(mail, { timestamp: later(900), userAgent: browser }),
  (mail) => openEvent(mail, { timestamp: later(1_800), userAgent: browser }),
  (mail) => clickEvent(mail, { timestamp: later(1_810), userAgent: browser }),
];

/** One email that is its workspace's only one, an endpoint that wants every event, and what SES calls the message. */
async function anInstallation(status: string): Promise<{ mail: SesMail; workspaceId: string; emailId: string }> {
  const workspaceId = await aWorkspace(t.db);
  const { emailId } = await anEmail(t.db, workspaceId, { status, attempts: 1, handoffAt: sentAt, sentAt });
  await sql`insert into webhooks (workspace_id, id, url, secret, events)
    values (${workspaceId}, ${newId()}, 'https://hooks.example.com/', '\\x00', '{*}')`.execute(t.db);
  const messageId = newId();
  return { mail: { messageId, workspaceId, emailId, destination: ['ada@example.com'], sentAt }, workspaceId, emailId };
}

const tell = (message: SesEvent, id: string): Promise<boolean> =>
  storeNotification(t.db, {
    source: 'ses',
    id,
    topic: null,
    body: Buffer.from(JSON.stringify({ Message: JSON.stringify(message) })),
    envelopeTo: null,
  });

async function runOnce(): Promise<void> {
  await sql`update provider_notifications set next_try_at = now() where processed_at is null`.execute(t.db);
  await sql`update provider_events set not_before = null where applied_at is null
    and workspace_id in (select id from workspaces)`.execute(t.db);
  await feedbackService({
    db: t.db,
    clock: systemClock,
    log,
    readers: { ses: readSesNotification, mail: readSesNotification },
  }).runOnce();
}

async function cameTo({ workspaceId, emailId }: { workspaceId: string; emailId: string }) {
  const { rows } = await sql<Record<string, unknown>>`
    select e.status, e.open_count, e.click_count, e.machine_open_count, e.machine_click_count, e.sent_at, e.delivered_at,
           e.first_opened_at, e.last_event_at, e.provider_message_id is not null as "isKnown",
           array(select v.type || ' ' || v.recipient || ' ' || v.at from email_events v
                  where v.workspace_id = e.workspace_id and v.email_id = e.id order by 1) as events,
           array(select d.event_type from webhook_deliveries d where d.workspace_id = e.workspace_id order by 1) as deliveries,
           array(select s.email || ' ' || s.reason from suppressions s where s.workspace_id = e.workspace_id) as suppressions
      from emails e where e.workspace_id = ${workspaceId} and e.id = ${emailId}`.execute(t.db);
  // The mail's own time of a reject or an event without one is the same in both.
  return rows[0];
}

test('every event three times, in any order, parked or not, with any number of rounds between, ends as once in order', async () => {
  let parked = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.nat({ max: kinds.length - 1 }), { minLength: 1, maxLength: 7 }),
      fc.infiniteStream(fc.nat({ max: 999 })),
      async (chosen, dice) => {
        const roll = (below: number): number => (dice.next().value ?? 0) % below;
        const once = await anInstallation('sent');
        await sql`update emails set provider_message_id = ${once.mail.messageId}
          where workspace_id = ${once.workspaceId}`.execute(t.db);
        for (const kind of chosen.toSorted((a, b) => a - b)) await tell(kinds[kind]!(once.mail), newId()); // an index of kinds
        await runOnce();

        // The email is not there yet, then being handed over, then of unknown outcome or sent.
        const often = await anInstallation('sending');
        const hidden = newId();
        await sql`update emails set id = ${hidden} where workspace_id = ${often.workspaceId}`.execute(t.db);
        const steps = chosen
          .flatMap((kind) => [0, 1, 2].map((copy) => ({ kind, copy, rank: roll(1_000) })))
          .sort((a, b) => a.rank - b.rank);
        const shownAt = roll(steps.length + 1);
        const sentFrom = shownAt + roll(3);
        const ids = new Map<number, string>();
        const appear = (step: number): Promise<unknown> =>
          step === shownAt
            ? sql`update emails set id = ${often.emailId} where workspace_id = ${often.workspaceId}`.execute(t.db)
            : step === sentFrom
              ? sql`update emails set status = ${roll(2) === 0 ? 'sent' : 'unconfirmed'}
                  where workspace_id = ${often.workspaceId} and status = 'sending'`.execute(t.db)
              : Promise.resolve();
        for (const [step, { kind, copy }] of steps.entries()) {
          await appear(step);
          // The same notification again, or the same event under another number.
          const id = copy === 2 ? newId() : (ids.get(kind) ?? newId());
          ids.set(kind, id);
          await tell(kinds[kind]!(often.mail), id); // an index of kinds
          if (step < shownAt) parked += 1;
          if (roll(3) === 0) await Promise.all([runOnce(), runOnce()]);
        }
        for (let step = steps.length; step <= Math.max(shownAt, sentFrom); step += 1) await appear(step);
        await sql`update emails set id = ${often.emailId}, status = case status when 'sending' then 'sent' else status end
          where workspace_id = ${often.workspaceId}`.execute(t.db);
        for (let round = 0; round < 3; round += 1) await runOnce();
        assert.deepEqual(await cameTo(often), await cameTo(once));
      },
    ),
    { numRuns: RUNS },
  );
  assert.ok(parked > 0);
});
