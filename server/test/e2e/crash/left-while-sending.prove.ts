/**
 * People leave, and addresses are suppressed, at random moments while an issue is frozen and released by several
 * workers: by link, by one-click, by the API and by a bounce. From the answer on no hand-over to them begins.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSecrets } from '#platform/crypto/secrets.ts';
import { signLink } from '../../../src/features/newsletters/link-token.ts';
import { type FakeSns, startFakeSns } from '../../harness/fake-sns.ts';
import { type PosthornProcess, TEST_SECRET } from '../../harness/posthorn-process.ts';
import { bounceEvent } from '../../harness/ses-payloads.ts';
import { seededRandom } from '../../harness/smtp-faults.ts';
import { undoAfter } from '../../harness/undo.ts';
import { assertFound } from './assert-found.ts';
import { compareDepartures, compareIssue, ISSUE_FLAWLESS } from './compare-issue.ts';
import type { Departure, IssueRecords } from './issue-records.ts';
import {
  aList,
  anIssue,
  ask,
  IS_LARGE,
  pauseFor,
  RUNS,
  recordsOf,
  seedsFrom,
  send,
  strangersOf,
  untilAnswered,
  watch,
} from './issue-rig.ts';
import { between } from './requests.ts';
import { createRig, type Rig } from './rig.ts';
import { type SentEmail, sentEmails } from './sent-emails.ts';

const SIZE = IS_LARGE
  ? { people: 7_500, leaving: 1_500, workers: 6, rate: '250', atOnce: 6 }
  : { people: 1_500, leaving: 150, workers: 3, rate: '150', atOnce: 3 };
/** An email claimed before the answer may wait for its slot so long without another look. */
const IN_FLIGHT_MS_MAX = 5_000;
const KINDS = ['link', 'one-click', 'unsubscribed by the API', 'suppressed by the API', 'bounce'] as const;

interface Person {
  recipient: string;
  subscriberId: string;
  workspaceId: string;
  newsletterId: string;
}

interface Leaving {
  api: PosthornProcess;
  sns: FakeSns;
  earlier: ReadonlyMap<string, SentEmail>;
}

const secrets = createSecrets(TEST_SECRET);
const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };

/** Does what one of them does; resolves when it was answered, or a bounce has been applied. */
async function leave({ api, sns, earlier }: Leaving, person: Person, kind: (typeof KINDS)[number]): Promise<void> {
  const { recipient, subscriberId, workspaceId, newsletterId } = person;
  if (kind === 'link' || kind === 'one-click') {
    const token = await signLink(secrets, 'nl_unsub', { workspaceId, newsletterId, subscriberId }, new Date());
    const press = {
      method: 'POST',
      body: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    };
    const url = `${api.url}/api/n/unsubscribe?token=${token}`;
    const answer = await untilAnswered(() => fetch(url, kind === 'link' ? { headers: BROWSER } : press));
    assert.equal(answer.status, 200, await answer.text());
  } else if (kind === 'unsubscribed by the API') {
    const path = `/v1/newsletters/${newsletterId}/subscribers/${subscriberId}/unsubscribe`;
    assert.equal((await ask(api, path)).status, 200);
  } else if (kind === 'suppressed by the API') {
    assert.equal((await ask(api, '/v1/suppressions', { email: recipient })).status, 201);
  } else {
    const email = earlier.get(recipient);
    assert.ok(email);
    const { id: emailId, messageId } = email;
    const mail = { messageId, workspaceId, emailId, destination: [recipient], sentAt: new Date(Date.now() - 300_000) };
    const told = await untilAnswered(() => sns.post(`${api.url}/events/ses`, sns.notification(bounceEvent(mail))));
    assert.equal(told.status, 200);
    const until = performance.now() + 20_000;
    while ((await api.fetch(`/v1/suppressions/${encodeURIComponent(recipient)}`)).status !== 200)
      assert.ok(performance.now() < until, 'a bounce was not applied');
  }
}

async function membersOf(rig: Rig, newsletterId: string): Promise<Person[]> {
  const rows = await rig.query(`
    select email as recipient, id as "subscriberId", workspace_id as "workspaceId", newsletter_id as "newsletterId"
      from subscribers where newsletter_id = '${newsletterId}' order by email`);
  return rows as unknown as Person[]; // as the statement above names its columns
}

const SEEDS = seedsFrom(33_000);

test(`${SIZE.leaving} of ${SIZE.people} leave while ${SIZE.workers} workers send, seeds ${SEEDS[0]} to ${SEEDS.at(-1)}: nothing begins after the answer`, {
  timeout: 300_000 + RUNS * 300_000,
}, async (t) => {
  const sns = await startFakeSns();
  undoAfter(t, () => sns.stop());
  const rig = await createRig({
    env: {
      POSTHORN_SEND_RATE: SIZE.rate,
      POSTHORN_SES_TOPIC_ARNS: sns.topicArn,
      POSTHORN_SNS_CERT_HOST: sns.origin,
      POSTHORN_EGRESS_ALLOW: '127.0.0.1/32',
      POSTHORN_LEASE_SECONDS: '20',
    },
  });
  undoAfter(t, rig.close);
  const api = await rig.start('api');
  await Promise.all(Array.from({ length: SIZE.workers }, () => rig.start('worker')));
  const sums = { departures: 0, before: 0, inFlight: 0, inFlightMsMax: 0, stopped: 0, received: 0, unconfirmed: 0 };

  for (const seed of SEEDS) {
    const random = seededRandom(seed);
    const name = `leaving${seed}`;
    const list = await aList(rig, api, name, SIZE.people);
    const people = await membersOf(rig, list.newsletterId);
    const earlier = new Map((await sentEmails(rig, name, SIZE.people)).map((email) => [email.recipient, email]));
    const waiting = people
      .map((person) => ({ person, at: random() }))
      .sort((a, b) => a.at - b.at)
      .slice(0, SIZE.leaving)
      .map(({ person }) => person);

    const issuePath = await anIssue(api, list);
    const watched = watch(api, issuePath);
    const departures: Departure[] = [];
    // So many at the same time, spread over the time that the sending takes.
    const spreadMs = (1_000 * SIZE.people * SIZE.atOnce) / Number(SIZE.rate) / SIZE.leaving;
    const lane = async (): Promise<void> => {
      for (let person = waiting.shift(); person !== undefined; person = waiting.shift()) {
        const kind = KINDS[between(random, 0, KINDS.length - 1)] ?? 'link';
        await leave({ api, sns, earlier }, person, kind);
        departures.push({ recipient: person.recipient, kind, answeredAt: Date.now() });
        // oxlint-disable-next-line house/no-sleep -- people leave now and then
        await pauseFor(random() * spreadMs);
      }
    };
    const sending = send(api, issuePath);
    await Promise.all([sending, ...Array.from({ length: SIZE.atOnce }, lane)]);
    await watched.until(({ status, stats }) => status === 'sent' && stats.pending === stats.unconfirmed, 600_000);
    await rig.untilQuiet(120_000);
    await watched.stop();

    const records = await recordsOf(rig, api, { list, issuePath, answers: watched.answers });
    const [found, left] = [compareIssue(records), compareDepartures(departures, records)];
    t.diagnostic(
      `seed ${seed}: ${left.departures} left: ${left.before} had got it, ${left.inFlight} were in flight (the last arrived ` +
        `${Math.round(left.inFlightMsMax)} ms after its answer), ${left.stopped} never got it, ${left.startedAfter.length} ` +
        `began after the answer; ${found.received} received, ${found.suppressed} counted as suppressed, ` +
        `${found.unconfirmed} unconfirmed, ${watched.answers.length} answers add up`,
    );
    assert.deepEqual(left.startedAfter, []);
    assert.deepEqual(left.unaccounted, []);
    assert.ok(left.inFlightMsMax < IN_FLIGHT_MS_MAX, `in flight for ${left.inFlightMsMax} ms`);
    assert.ok(left.before > 0 && left.stopped > 0, 'nobody left at a moment that matters');
    // A person who left before the freeze reached them is not among the recipients; everybody else is, and is
    // accounted for.
    const gone = new Set(departures.map(({ recipient }) => recipient));
    assert.deepEqual(
      found.notFrozen.filter((person) => !gone.has(person)),
      [],
    );
    assertFound(found, { ...ISSUE_FLAWLESS, cancelled: 0, status: 'sent' });
    assert.equal(found.suppressed + found.notFrozen.length, left.stopped - unconfirmedOf(records, gone));
    sums.departures += left.departures;
    sums.before += left.before;
    sums.inFlight += left.inFlight;
    sums.inFlightMsMax = Math.max(sums.inFlightMsMax, Math.round(left.inFlightMsMax));
    sums.stopped += left.stopped;
    sums.received += found.received;
    sums.unconfirmed += found.unconfirmed;
  }
  assert.deepEqual(await strangersOf(rig), []);
  t.diagnostic(JSON.stringify(sums));
});

/** Unconfirmed of those, and never received: what arrived is not among those who were stopped. */
function unconfirmedOf({ emails, received }: IssueRecords, gone: ReadonlySet<string>): number {
  const arrived = new Set(received.map(({ emailId }) => emailId));
  return emails.filter((one) => one.status === 'unconfirmed' && gone.has(one.recipient) && !arrived.has(one.id)).length;
}
