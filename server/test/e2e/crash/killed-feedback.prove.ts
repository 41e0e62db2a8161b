/**
 * A process is killed (SIGKILL) between a notification stored and its answer, while it reads a page of them, and
 * while it applies what they say. SNS repeats what was not answered. Every event has taken effect in the end, and
 * once.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FakeSns, type SnsMessage, startFakeSns } from '../../harness/fake-sns.ts';
import { clickEvent, complaintEvent, deliveryEvent } from '../../harness/ses-payloads.ts';
import { undoAfter } from '../../harness/undo.ts';
import { inTurn } from './boundaries.ts';
import { arm, createRig, type Part, type Rig } from './rig.ts';
import { type SentEmail, sentEmails } from './sent-emails.ts';

const EMAILS = 20;
/** The first is passed where the notification is received. */
const BOUNDARIES = [
  'feedback.notification.stored',
  'feedback.notification.processed',
  'feedback.apply.inside',
] as const;

const messagesAbout = (sns: FakeSns, { id, workspaceId, recipient, messageId }: SentEmail): SnsMessage[] => {
  const sentAt = new Date(Date.now() - 300_000);
  const mail = { messageId, workspaceId, emailId: id, destination: [recipient], sentAt };
  return [deliveryEvent(mail), complaintEvent(mail), clickEvent(mail)].map((event) => sns.notification(event));
};

/** As SNS does: again, until it is answered well. */
async function postUntilTaken(sns: FakeSns, url: string, message: SnsMessage): Promise<void> {
  for (;;) {
    const status = await sns.post(`${url}/events/ses`, message).then(
      (answer) => answer.status,
      () => 0,
    );
    if (status === 200) return;
    assert.ok(status === 0 || status >= 500, `refused with ${status}`);
  }
}

async function untilApplied(rig: Rig): Promise<void> {
  const until = performance.now() + 120_000;
  for (;;) {
    const [left] = await rig.query(`
      select (select count(*)::integer from provider_notifications where processed_at is null) +
             (select count(*)::integer from provider_events where applied_at is null) as n`);
    if (left?.['n'] === 0) return;
    assert.ok(performance.now() < until, `${String(left?.['n'])} are left`);
  }
}

const parts: { name: string; victim: Part; boundaries: string[] }[] = [
  {
    name: 'one process that does everything',
    victim: 'all',
    boundaries: [BOUNDARIES[0], ...inTurn(BOUNDARIES.slice(1), 0, 2)],
  },
  { name: 'a worker beside an API', victim: 'worker', boundaries: inTurn(BOUNDARIES.slice(1), 1, 2) },
];

for (const { name, victim, boundaries } of parts) {
  test(`killed while events come in, ${name}: each takes effect once`, { timeout: 300_000 }, async (t) => {
    const sns = await startFakeSns();
    undoAfter(t, () => sns.stop());
    const rig = await createRig({
      env: {
        POSTHORN_SES_TOPIC_ARNS: sns.topicArn,
        POSTHORN_SNS_CERT_HOST: sns.origin,
        POSTHORN_EGRESS_ALLOW: '127.0.0.1/32',
      },
    });
    undoAfter(t, rig.close);
    const lives = boundaries.map((at) => [{ at, pass: 2, act: 'kill' as const }]);
    const supervised = rig.supervise(victim, lives);
    const { url } = victim === 'worker' ? await rig.start('api') : await supervised.life(0);
    await supervised.life(0);
    await rig.query(`
      insert into webhooks (workspace_id, id, url, secret, events)
      select id, ph_uuidv7(), 'https://127.0.0.1:59999/', '\\x00', '{*}' from workspaces where is_home`);

    for (const [round, at] of boundaries.entries()) {
      await arm(await supervised.life(round));
      const emails = await sentEmails(rig, `p${round}`, EMAILS);
      const messages = emails.flatMap((email) => messagesAbout(sns, email));
      for (let next = 0; next < messages.length; next += 6) {
        await Promise.all(messages.slice(next, next + 6).map((message) => postUntilTaken(sns, url, message)));
        // The page that kills it is the second one: there have to be several.
        if (!supervised.hasBegun(round + 1)) await untilApplied(rig).catch(() => undefined);
      }
      await supervised.life(round + 1);
      await untilApplied(rig);
      t.diagnostic(`${at}: ${supervised.deaths[round] ?? 'no death'}`);
      assert.match(supervised.deaths[round] ?? '', new RegExp(`^fault: kill at ${at},`));

      const [found] = await rig.query(`
        select count(*)::integer as emails,
               count(*) filter (where e.status = 'complained')::integer as complained,
               sum(e.click_count + e.machine_click_count)::integer as clicks,
               sum((select count(*) from email_events v where v.workspace_id = e.workspace_id and v.email_id = e.id))::integer
                 as events,
               (select count(*)::integer from webhook_deliveries d
                 join email_events v on v.workspace_id = d.workspace_id and v.id = d.event_id
                 join emails x on x.workspace_id = v.workspace_id and x.id = v.email_id
                where x.provider_message_id like 'p${round}-%') as deliveries,
               (select count(*)::integer from suppressions where email like 'p${round}-%') as suppressions
          from emails e where e.provider_message_id like 'p${round}-%'`);
      assert.deepEqual(found, {
        emails: EMAILS,
        complained: EMAILS,
        clicks: EMAILS,
        events: 3 * EMAILS,
        deliveries: 3 * EMAILS,
        suppressions: EMAILS,
      });
    }
    const [notifications] = await rig.query(`
      select count(*)::integer as n from provider_notifications where outcome <> 'applied'`);
    assert.equal(notifications?.['n'], 0);
  });
}
