import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { firstIdAt } from '#platform/ids.ts';
import { createSesInspector } from '#providers/ses/ses-inspector.ts';
import { aDomain, anEmail, aWorkspace } from '../../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { type FakeSes, startFakeSes } from '../../../../test/harness/fake-ses.ts';
import { SES_ERRORS, type SesFaultAct } from '../../../../test/harness/ses-faults.ts';
import type { SesReceiptRule } from '../../../../test/harness/ses-receipt-rules.ts';
import { CATALOGUE } from '../catalogue.ts';
import type { Report } from '../doctor.ts';
import { examine, finding, findings, met, type Patient, testClock, TOPIC_ARN } from '../test-kit.ts';

const EVENTS = ['SEND', 'REJECT', 'BOUNCE', 'COMPLAINT', 'DELIVERY', 'DELIVERY_DELAY', 'RENDERING_FAILURE'];
const DESTINATION = { name: 'to-posthorn', enabled: true, events: EVENTS, topicArn: TOPIC_ARN };
const minutesAgo = (minutes: number): Date => new Date(testClock().now().getTime() - minutes * 60_000);

let t: TestDatabase;
let ses: FakeSes;
let workspaceId: string;

before(async () => {
  t = await createTestDatabase();
  ses = await startFakeSes();
});
after(async () => {
  await ses.stop();
  await t.close();
});
beforeEach(async () => {
  await sql`truncate workspaces, sns_topics, provider_notifications cascade`.execute(t.db);
  workspaceId = await aWorkspace(t.db, { isHome: true });
  await aDomain(t.db, workspaceId, 'posthorn.test');
  await aDomain(t.db, workspaceId, 'example.com');
  await hear('confirmed', minutesAgo(1));
  ses.setFaults(undefined);
  Object.assign(ses.account, { maxSendRate: 14, max24HourSend: 50_000, sentLast24Hours: 3, productionAccess: true });
  Object.assign(ses.account, { sendingEnabled: true, enforcementStatus: 'HEALTHY' });
  ses.account.identities = { 'example.com': { verified: true } };
  ses.account.configurationSets = { posthorn: [DESTINATION] };
});

const hear = (state: string, at: Date | null, note: string | null = null) =>
  sql`insert into sns_topics (arn, state, note, last_message_at) values (${TOPIC_ARN}, ${state}, ${note}, ${at})
    on conflict (arn) do update set state = excluded.state, note = excluded.note,
      last_message_at = excluded.last_message_at`.execute(t.db);

const look = ({ env, deps }: Patient = {}): Promise<Report> =>
  examine(t.db, {
    env: {
      POSTHORN_PROVIDER_URL: 'ses://us-east-1?configurationSet=posthorn',
      POSTHORN_SES_TOPIC_ARNS: TOPIC_ARN,
      POSTHORN_SES_ENDPOINT: ses.endpoint,
      ...env,
    },
    ...(deps === undefined ? {} : { deps }),
  });

const failing = (operation: string, fault: SesFaultAct) => ses.setFaults({ rules: [{ ...fault, operation }] });

/** One check is not as it should be, for this reason, and the report says so. */
function assertFound(report: Report, id: string, status: 'warning' | 'error', cause: RegExp, message = /\S/): void {
  const found = finding(report, id);
  assert.equal(found.status, status, found.message);
  assert.match(found.cause ?? '', cause);
  assert.match(found.message, message);
}

test('an account that is set up well passes every check that needs no network', async () => {
  const report = await look();
  const notOk = report.checks.filter(
    ({ status, id }) => status !== 'ok' && !/^(?:callback|database|relay|mta_sts)/.test(id),
  );
  assert.deepEqual(notOk, []);
  assert.deepEqual(report.account, {
    region: 'us-east-1',
    configuration_set: 'posthorn',
    max_send_rate: 14,
    max_24_hour_send: 50_000,
    sent_last_24_hours: 3,
    production_access: true,
    sending_enabled: true,
    enforcement_status: 'HEALTHY',
  });
  assert.equal(ses.count, 0, 'nothing is sent');
});

describe('credentials', () => {
  const denied = SES_ERRORS.denied;
  const faults: Record<string, [SesFaultAct, 'warning' | 'error', RegExp]> = {
    'that AWS does not know': [SES_ERRORS.unknownKey, 'error', /does not know the access key/],
    'that have expired': [SES_ERRORS.expiredToken, 'error', /their time is over/],
    'of a machine whose clock is wrong': [SES_ERRORS.skew, 'error', /clock of this machine/],
    'that may not read the account': [denied, 'warning', /may not call ses:GetAccount/],
  };
  for (const [what, [fault, status, cause]] of Object.entries(faults)) {
    test(what, async () => {
      failing('GetAccount', fault);
      const report = await look();
      assertFound(report, 'credentials', status, cause);
      assert.equal(finding(report, 'region').status, 'ok');
      assert.equal(finding(report, 'quota').status, 'skipped');
      // The other questions are asked, unless all of them would fail alike.
      assert.equal(finding(report, 'identity').status, fault === denied ? 'ok' : 'skipped');
    });
  }

  test('that are not there', async () => {
    const createInspector: NonNullable<Patient['deps']>['createInspector'] = (settings) =>
      createSesInspector(settings, {
        credentials: () =>
          Promise.reject(
            Object.assign(new Error('Could not load credentials from any providers'), {
              name: 'CredentialsProviderError',
            }),
          ),
      });
    const report = await look({ deps: { createInspector } });
    assertFound(report, 'credentials', 'error', /found no credentials/);
    assert.equal(finding(report, 'region').status, 'skipped');
  });
});

describe('region', () => {
  test('that does not exist', async () => {
    const endpoint = 'https://email.eu-nowhere-1.invalid';
    const report = await look({ env: { POSTHORN_SES_ENDPOINT: endpoint } });
    assertFound(report, 'region', 'error', /no Amazon SES in us-east-1/);
    assert.equal(finding(report, 'credentials').status, 'skipped');
  });

  test('that cannot be reached', async () => {
    const report = await look({ env: { POSTHORN_SES_ENDPOINT: 'http://127.0.0.1:1' } });
    assertFound(report, 'region', 'error', /No connection to Amazon SES in us-east-1/);
  });

  test('whose answer is that of somebody else', async () => {
    failing('GetAccount', { act: 'answer', status: 502, body: '<html>Bad gateway</html>' });
    assertFound(await look(), 'region', 'error', /none of Amazon SES/);
  });
});

test('an account in the sandbox', async () => {
  ses.account.productionAccess = false;
  const report = await look();
  assertFound(report, 'sandbox', 'warning', /sandbox of Amazon SES in us-east-1/);
  assert.equal(report.account['production_access'], false);
});

test('an account that Amazon lets not send', async () => {
  ses.account.enforcementStatus = 'PROBATION';
  assertFound(await look(), 'standing', 'warning', /under review/);
  ses.account.enforcementStatus = 'SHUTDOWN';
  assertFound(await look(), 'standing', 'error', /suspended sending/);
  Object.assign(ses.account, { enforcementStatus: 'HEALTHY', sendingEnabled: false });
  assertFound(await look(), 'standing', 'error', /paused for the account/);
});

test('a quota that is used up, or nearly, and a rate that is lower than ours', async () => {
  ses.account.sentLast24Hours = 50_000;
  assertFound(await look(), 'quota', 'error', /is used up/, /50000 of 50000 emails/);
  ses.account.sentLast24Hours = 40_000;
  assertFound(await look(), 'quota', 'warning', /four fifths/);
  Object.assign(ses.account, { sentLast24Hours: 0, maxSendRate: 1 });
  assertFound(await look(), 'quota', 'warning', /less than POSTHORN_SEND_RATE/, /1 a second are allowed, 12 are set/);
  Object.assign(ses.account, { max24HourSend: -1, maxSendRate: 50 });
  assert.equal(finding(await look(), 'quota').status, 'ok');
});

describe('identity', () => {
  test('of each domain that mail is sent from, and of no other', async () => {
    const other = await aWorkspace(t.db);
    await aDomain(t.db, other, 'shop.example');
    await aDomain(t.db, other, 'off.example', { sendingEnabled: false });
    ses.account.identities = { 'shop.example': { verified: false } };
    const report = await look({ env: { POSTHORN_SENDER_DOMAINS: 'mail.example.net' } });
    const found = findings(report, 'identity').map(({ message, status }) => [message.split(':')[0], status]);
    const errors = ['mail.example.net', 'example.com', 'shop.example'].map((domain) => [domain, 'error']);
    assert.deepEqual(found, errors);
    const [missing, , unverified] = findings(report, 'identity');
    assert.match(missing?.cause ?? '', /no identity for this domain, or a domain above it, in us-east-1/);
    assert.match(unverified?.cause ?? '', /has not seen its DNS records/);
  });

  test('of a domain that Posthorn keeps as an identity itself is not asked about: it is in a region of its own', async () => {
    await sql`
      insert into provider_identities (domain, region, workspace_id, domain_id, ready_at)
      select domain, 'eu-north-1', workspace_id, id, now() from domains where domain = 'example.com'`.execute(t.db);
    ses.account.identities = {};
    const { status, message } = finding(await look(), 'identity');
    await sql`delete from provider_identities`.execute(t.db);
    assert.deepEqual([status, message], ['ok', 'Verified: 1 of the API, each in its region.']);
  });

  test('of a domain above it counts', async () => {
    await sql`update domains set domain = 'news.mail.example.com' where domain = 'example.com'`.execute(t.db);
    const { status, message } = finding(await look(), 'identity');
    assert.deepEqual([status, message], ['ok', 'Verified: news.mail.example.com.']);
  });

  test('that cannot be asked about', async () => {
    failing('GetEmailIdentity', SES_ERRORS.denied);
    assertFound(await look(), 'identity', 'warning', /may not call ses:GetEmailIdentity/);
    failing('GetEmailIdentity', SES_ERRORS.unavailable);
    assertFound(await look(), 'identity', 'warning', /did not answer/);
  });

  test('without a domain to send from', async () => {
    await sql`delete from domains where domain <> 'posthorn.test'`.execute(t.db);
    assert.equal(finding(await look(), 'identity').status, 'skipped');
  });

  test('of so many domains that only some are looked at', async () => {
    const names = Array.from({ length: 25 }, (_, index) => `d${index}.example.com`);
    const { message } = finding(await look({ env: { POSTHORN_SENDER_DOMAINS: names.join() } }), 'identity');
    assert.match(message, /d19\.example\.com\. 6 more were not looked at\.$/);
  });
});

describe('configuration set', () => {
  const unnamed = { env: { POSTHORN_PROVIDER_URL: 'ses://us-east-1' } };

  test('that is not named', async () => {
    const report = await look(unnamed);
    assertFound(report, 'configuration_set', 'error', /names no configuration set/);
    assert.equal(finding(report, 'event_destination').status, 'skipped');
  });

  test('that every identity adds', async () => {
    ses.account.identities = { 'example.com': { verified: true, configurationSet: 'posthorn' } };
    const report = await look(unnamed);
    assert.equal(finding(report, 'configuration_set').message, 'posthorn: each identity adds it.');
    assert.equal(finding(report, 'event_destination').status, 'ok');
    ses.account.identities['shop.example'] = { verified: true };
    await aDomain(t.db, workspaceId, 'shop.example');
    assertFound(await look(unnamed), 'configuration_set', 'error', /the identities have no default one/);
  });

  test('that does not exist', async () => {
    ses.account.configurationSets = {};
    assertFound(
      await look(),
      'configuration_set',
      'error',
      /no configuration set of this name in us-east-1/,
      /posthorn/,
    );
  });

  test('that may not send', async () => {
    const body = JSON.stringify({ ConfigurationSetName: 'posthorn', SendingOptions: { SendingEnabled: false } });
    failing('GetConfigurationSet', { act: 'answer', status: 200, body });
    assertFound(await look(), 'configuration_set', 'error', /Sending is turned off/);
  });

  test('that cannot be asked about', async () => {
    failing('GetConfigurationSet', SES_ERRORS.denied);
    const report = await look();
    assertFound(report, 'configuration_set', 'warning', /may not call ses:GetConfigurationSet\./);
    assert.equal(finding(report, 'event_destination').status, 'ok');
    failing('GetConfigurationSet', SES_ERRORS.internal);
    assertFound(await look(), 'configuration_set', 'warning', /did not answer/);
  });
});

describe('event destination', () => {
  const set = (...destinations: (typeof DESTINATION)[]) => (ses.account.configurationSets = { posthorn: destinations });

  test('that is missing, or leads elsewhere', async () => {
    set();
    const report = await look();
    assertFound(report, 'event_destination', 'error', /no event destination of the type Amazon SNS/);
    assert.equal(finding(report, 'topic').status, 'skipped');
    const { topicArn: _, ...firehose } = DESTINATION;
    ses.account.configurationSets = { posthorn: [{ ...firehose, name: 'firehose' }] };
    assertFound(await look(), 'event_destination', 'error', /Amazon SNS/, /only these event destinations: firehose/);
  });

  test('that is turned off', async () => {
    set({ ...DESTINATION, enabled: false });
    assertFound(await look(), 'event_destination', 'error', /turned off/);
  });

  test('that leaves events out', async () => {
    set({ ...DESTINATION, events: ['SEND', 'DELIVERY', 'OPEN'] });
    const report = await look();
    assertFound(report, 'event_destination', 'error', /leaves out events/, /REJECT, BOUNCE, COMPLAINT/);
    set({ ...DESTINATION, events: ['SEND', 'REJECT', 'BOUNCE'] }, { ...DESTINATION, events: EVENTS.slice(3) });
    assert.equal(finding(await look(), 'event_destination').status, 'ok', 'two together');
  });

  test('that cannot be asked about', async () => {
    failing('GetConfigurationSetEventDestinations', SES_ERRORS.denied);
    assertFound(await look(), 'event_destination', 'warning', /may not call ses:GetConfigurationSetEventDest/);
    failing('GetConfigurationSetEventDestinations', SES_ERRORS.internal);
    assertFound(await look(), 'event_destination', 'warning', /did not answer/);
  });
});

test('a topic that Posthorn does not believe', async () => {
  const other = TOPIC_ARN.replace('posthorn', 'other');
  const report = await look({ env: { POSTHORN_SES_TOPIC_ARNS: other } });
  assertFound(report, 'topic', 'error', /not in POSTHORN_SES_TOPIC_ARNS/);
  assert.match(finding(report, 'topic').fix ?? '', new RegExp(`POSTHORN_SES_TOPIC_ARNS=${other},${TOPIC_ARN} `));
});

test('a subscription that was never made, failed, or was deleted', async () => {
  await hear('failed', null, 'the confirmation page answered 404');
  assertFound(await look(), 'subscription', 'error', /could not: the confirmation page answered 404/);
  await hear('unsubscribed', minutesAgo(1));
  assertFound(await look(), 'subscription', 'error', /was deleted/);
  await sql`delete from sns_topics`.execute(t.db);
  const report = await look();
  assertFound(report, 'subscription', 'error', /never spoken/);
  assert.match(finding(report, 'subscription').fix ?? '', /endpoint https:\/\/mail\.example\.com\/events\/ses,/);
});

describe('mail without events', () => {
  const sent = async (minutes: number): Promise<void> => {
    const { emailId } = await anEmail(t.db, workspaceId, { status: 'sent', sentAt: minutesAgo(minutes) });
    // Accepted then, too: ids tell the time.
    const id = firstIdAt(minutesAgo(minutes + 0.01)).slice(0, -12) + emailId.slice(-12);
    await sql`update emails set id = ${id}, provider_message_id = ${id} where id = ${emailId}`.execute(t.db);
  };

  test('older than ten minutes, and none was ever received', async () => {
    await hear('confirmed', null);
    await sent(9);
    assert.equal(finding(await look(), 'events').status, 'ok');
    await sent(11);
    assertFound(await look(), 'events', 'error', /callback problem\?/, /1 email of the last 24 hours/);
  });

  test('that left after the last one was received', async () => {
    await hear('confirmed', minutesAgo(60));
    await sent(20);
    await sent(70);
    assertFound(await look(), 'events', 'error', /used to arrive/, /2 emails of the last 24 hours/);
    await hear('confirmed', minutesAgo(1));
    assert.equal(finding(await look(), 'events').status, 'ok');
  });

  test('of test keys, or settled, is no sign', async () => {
    await hear('confirmed', null);
    await sent(30);
    await sql`update emails set sandbox = true`.execute(t.db);
    assert.equal(finding(await look(), 'events').status, 'ok');
    await sql`update emails set sandbox = false, status = 'delivered'`.execute(t.db);
    assert.equal(finding(await look(), 'events').status, 'ok');
  });
});

describe('receiving', () => {
  const env = { POSTHORN_SES_RECEIVING: 'on', POSTHORN_SES_BUCKETS: 'mail' };
  const topicArn = TOPIC_ARN;
  const sns = { sns: { topicArn, encoding: 'Base64' as const } };
  const rule = (actions: SesReceiptRule['actions'], more: Partial<SesReceiptRule> = {}): SesReceiptRule => ({
    enabled: true,
    recipients: [],
    actions,
    ...more,
  });
  beforeEach(async () => {
    ses.account.receiptRules = [rule([sns])];
    await sql`update domains set receiving_enabled = true where domain = 'example.com'`.execute(t.db);
  });

  test('is looked at only when it goes through SES and a domain receives', async () => {
    assert.match(finding(await look(), 'receiving').message, /POSTHORN_SES_RECEIVING is off/);
    await sql`update domains set receiving_enabled = false`.execute(t.db);
    assert.match(finding(await look({ env }), 'receiving').message, /No domain receives/);
  });

  test('is well with a rule for the domain, all below it or all of the account, and an action of either kind', async () => {
    const s3 = { s3: { bucketName: 'mail', topicArn } };
    await sql`update domains set domain = 'reply.example.com' where domain = 'example.com'`.execute(t.db);
    const recipients = [[], ['.example.com'], ['reply.example.com', 'other.example']];
    for (const list of recipients) {
      for (const action of [sns, s3]) {
        ses.account.receiptRules = [rule([], { enabled: false }), rule([action], { recipients: list })];
        assert.equal(finding(await look({ env }), 'receiving').status, 'ok');
      }
    }
  });

  test('without an active rule set', async () => {
    ses.account.receiptRules = null;
    assertFound(await look({ env }), 'receiving', 'error', /No receipt rule set is active in us-east-1/);
  });

  test('without a rule that brings the mail here', async () => {
    const wrong: SesReceiptRule[][] = [
      [],
      [rule([sns], { enabled: false })],
      [rule([sns], { recipients: ['other.example', '.example.com'] })],
      [rule([{ sns: { topicArn: `${TOPIC_ARN}-other`, encoding: 'Base64' } }])],
      [rule([{ s3: { bucketName: 'mail' } }])],
      [rule([{ s3: { bucketName: 'other', topicArn } }])],
    ];
    for (const rules of wrong) {
      ses.account.receiptRules = rules;
      assertFound(await look({ env }), 'receiving', 'error', /tells a topic .* of the mail for example\.com,/);
    }
  });

  test('by an action that loses something', async () => {
    ses.account.receiptRules = [rule([{ sns: { topicArn, encoding: 'UTF-8' } }])];
    assertFound(await look({ env }), 'receiving', 'warning', /the encoding UTF-8/);
    ses.account.receiptRules = [rule([{ s3: { bucketName: 'mail', topicArn, kmsKeyArn: 'arn:aws:kms:a' } }])];
    assertFound(await look({ env }), 'receiving', 'warning', /the KMS key/);
  });

  test('that may not be looked at, or is not answered', async () => {
    failing('DescribeActiveReceiptRuleSet', { act: 'error', status: 403, code: 'AccessDenied', message: 'No.' });
    assertFound(await look({ env }), 'receiving', 'warning', /may not call ses:DescribeActiveReceiptRuleSet/);
    failing('DescribeActiveReceiptRuleSet', { act: 'error', status: 500, code: 'InternalFailure', message: 'No.' });
    assertFound(await look({ env }), 'receiving', 'warning', /did not answer/);
  });

  test('of mail that waits or was given up, with the reason', async () => {
    const arrival = (id: number, minutes: number, outcome: string | null) =>
      sql`insert into inbound_arrivals (id, digest, received_at, envelope_from, recipients, verdicts, outcome, note)
          values (${`0197f3c0-1122-7d44-8a55-66778899aab${id}`}, ${Buffer.from([id])}, ${minutesAgo(minutes)}, '', '{}',
                  '{}', ${outcome}, ${`reason ${id}`})`.execute(t.db);
    await sql`truncate inbound_arrivals`.execute(t.db);
    await arrival(1, 9, null);
    await arrival(2, 20, 'taken');
    await arrival(3, 8 * 24 * 60, 'refused');
    assert.equal(finding(await look({ env }), 'received_mail').status, 'ok');
    await arrival(4, 11, null);
    assertFound(await look({ env }), 'received_mail', 'warning', /reason 4/, /1 messages wait, 0 were/);
    await arrival(5, 4 * 24 * 60, 'refused');
    assertFound(await look({ env }), 'received_mail', 'error', /reason 5/, /1 messages wait, 1 were/);
  });
});

test('every trouble that can be found with SES was found here', () => {
  const all = CATALOGUE.ses.flatMap(({ id, troubles }) => Object.keys(troubles).map((kind) => `${id}: ${kind}`));
  const elsewhere = /^(?:callback|refusals): /;
  assert.deepEqual(
    all.filter((trouble) => !met.has(trouble) && !elsewhere.test(trouble)),
    [],
  );
});
