/**
 * SNS delivers at least once and in no order. Every event comes three times, to two processes of which one is killed
 * now and then, and what follows from it is the same as for emails whose events came once, in order, to one process.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FakeSns, type SnsMessage, startFakeSns } from '../../harness/fake-sns.ts';
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
} from '../../harness/ses-payloads.ts';
import { seededRandom } from '../../harness/smtp-faults.ts';
import { undoAfter } from '../../harness/undo.ts';
import { between, sendAll } from './requests.ts';
import { createRig, type Rig, untilTrue } from './rig.ts';
import { type SentEmail, sentEmails } from './sent-emails.ts';

const SEED = 17_000;
const KILLS = 2;
const EMAILS = 42;
const COPIES = 3;

/** The possible events of an email, in the order in which they happen. */
const FATES: ((mail: SesMail) => SesEvent[])[] = [
  (mail) => [sendEvent(mail), deliveryEvent(mail), openEvent(mail), clickEvent(mail)],
  (mail) => [sendEvent(mail), bounceEvent(mail)],
  (mail) => [sendEvent(mail), deliveryEvent(mail), complaintEvent(mail)],
  (mail) => [deliveryDelayEvent(mail), deliveryEvent(mail), openEvent(mail)],
  (mail) => [bounceEvent(mail, { bounceType: 'Transient', bounceSubType: 'MailboxFull' }), deliveryEvent(mail)],
  (mail) => [rejectEvent(mail)],
  // A server that took it and returns it later; and who complains of it all the same.
  (mail) => [deliveryEvent(mail), bounceEvent(mail), complaintEvent(mail), clickEvent(mail)],
];

function messagesAbout(sns: FakeSns, emails: readonly SentEmail[], sentAt: Date): SnsMessage[] {
  return emails.flatMap(({ id, workspaceId, recipient, messageId }) => {
    const mail = { messageId, workspaceId, emailId: id, destination: [recipient], sentAt };
    const fate = FATES[Number(messageId.split('-')[1]) % FATES.length];
    return (fate?.(mail) ?? []).map((event) => sns.notification(event));
  });
}

function shuffled<T>(list: readonly T[], random: () => number): T[] {
  const places = list.map((one) => ({ one, place: random() }));
  return places.sort((a, b) => a.place - b.place).map(({ one }) => one);
}

/** As SNS does: again, until it is answered well; by whom does not matter. */
async function postUntilTaken(sns: FakeSns, urls: readonly string[], message: SnsMessage, random: () => number) {
  for (;;) {
    const url = urls[between(random, 0, urls.length - 1)] ?? '';
    const status = await sns.post(`${url}/events/ses`, message).then(
      (answer) => answer.status,
      () => 0,
    );
    if (status === 200) return;
    assert.ok(status === 0 || status >= 500, `refused with ${status}`);
  }
}

async function untilSettled(rig: Rig): Promise<void> {
  const until = performance.now() + 120_000;
  for (;;) {
    const [left] = await rig.query(`
      select (select count(*)::integer from provider_notifications where processed_at is null) as notifications,
             (select count(*)::integer from provider_events where applied_at is null) as events`);
    if (left?.['notifications'] === 0 && left['events'] === 0) return;
    assert.ok(performance.now() < until, JSON.stringify(left));
  }
}

/**
 * Everything that follows from events, of one group of emails, without what tells the groups apart. A bounce says
 * that it suppressed its recipient when it was the one that did: with a complaint beside it that is whichever came
 * first.
 */
async function consequences(rig: Rig, name: string): Promise<unknown> {
  const ofGroup = `e.recipient like '${name}-%'`;
  const number = "split_part(split_part(e.recipient, '@', 1), '-', 2)::integer";
  return {
    emails: await rig.query(`
      select ${number} as n, status, attempts, open_count, click_count, machine_open_count, machine_click_count,
             delivered_at, first_opened_at, last_event_at, error, unconfirmed_at
        from emails e where ${ofGroup} order by n`),
    events: await rig.query(`
      select ${number} as n, v.type::text, v.at, replace((v.event_data #- '{bounce,suppressed}')::text, '${name}-', '') as data
        from email_events v join emails e on e.workspace_id = v.workspace_id and e.id = v.email_id
       where ${ofGroup} order by n, v.at, v.type`),
    deliveries: await rig.query(`
      select ${number} as n, d.event_type, count(*)::integer as count
        from webhook_deliveries d
        join email_events v on v.workspace_id = d.workspace_id and v.id = d.event_id
        join emails e on e.workspace_id = v.workspace_id and e.id = v.email_id
       where ${ofGroup} group by 1, 2 order by 1, 2`),
    suppressions: await rig.query(`
      select replace(email, '${name}-', '') as email, reason::text from suppressions
       where email like '${name}-%' order by 1`),
    told: await rig.query(`
      select type, count(*)::integer as count from workspace_events
       where payload::text like '%${name}-%' group by 1 order by 1`),
    softBounces: await rig.query(`
      select replace(email, '${name}-', '') as email, times from soft_bounces where email like '${name}-%' order by 1`),
  };
}

test(`each event ${COPIES} times in any order to two processes, ${KILLS} kills, seed ${SEED}: as once, in order, to one`, {
  timeout: 300_000,
}, async (t) => {
  const random = seededRandom(SEED);
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
  const steady = await rig.startBeside();
  await rig.query(`
    insert into webhooks (workspace_id, id, url, secret, events)
    select id, ph_uuidv7(), 'https://127.0.0.1:59999/', '\\x00', '{*}' from workspaces where is_home`);
  const sentAt = new Date(Date.now() - 600_000);

  for (const message of messagesAbout(sns, await sentEmails(rig, 'once', EMAILS), sentAt))
    await postUntilTaken(sns, [steady.url], message, random);
  await untilSettled(rig);

  const supervised = rig.supervise('all', Array(KILLS).fill([]));
  const { url } = await supervised.life(0);
  const messages = messagesAbout(sns, await sentEmails(rig, 'many', EMAILS), sentAt);
  const copies = shuffled(Array.from({ length: COPIES }, () => messages).flat(), random);
  let posted = 0;
  const posting = sendAll(
    copies.map((_, index) => ({ key: String(index), sends: [] })),
    8,
    async ({ key }) => {
      const message = copies[Number(key)];
      if (message !== undefined) await postUntilTaken(sns, [steady.url, url], message, random);
      posted += 1;
    },
  );
  for (let life = 0; life < KILLS; life += 1) {
    const process = await supervised.life(life);
    const from = posted;
    const after = between(random, 10, Math.floor(copies.length / (KILLS + 2)));
    await untilTrue(() => posted >= Math.min(copies.length, from + after), 'nothing is posted any more');
    process.child.kill('SIGKILL');
  }
  await posting;
  await supervised.life(KILLS);
  await untilSettled(rig);

  const [once, many] = [await consequences(rig, 'once'), await consequences(rig, 'many')];
  t.diagnostic(`${messages.length} events, ${copies.length} posts, ${KILLS} kills, seed ${SEED}`);
  assert.deepEqual(many, once);
  const [{ n: events } = { n: 0 }] = await rig.query('select count(*)::integer as n from email_events');
  assert.ok(Number(events) > EMAILS, 'nothing came of it');
});
