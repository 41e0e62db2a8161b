/**
 * Runs every `curl` of README.md and of the first start's banner in a shell as printed, against a process without
 * settings and with a database of its own.
 */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { loadSettings } from '#platform/config/settings.ts';
import { createTestDatabase } from '../harness/database.ts';
import { temporaryFolder } from '../harness/data-dir.ts';
import { npmStart } from '../harness/npm-start.ts';
import { freePort, type PosthornProcess, startProcess } from '../harness/posthorn-process.ts';
import { undoAfter } from '../harness/undo.ts';
import { until } from '../harness/until.ts';

const ROOT = join(import.meta.dirname, '../../..');
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
const NOTHING_CONFIGURED = {
  POSTHORN_API_KEY: undefined,
  POSTHORN_LOG_LEVEL: undefined,
  POSTHORN_KEY_LIMIT_HOURLY: undefined,
  POSTHORN_KEY_LIMIT_DAILY: undefined,
  POSTHORN_KEY_LIMIT_MONTHLY: undefined,
};

const blocks = [...README.matchAll(/```sh\n(.*?)```/gs)].map((match) => match[1] ?? '');
const home = mkdtempSync(join(tmpdir(), 'posthorn-readme-'));
let posthorn: PosthornProcess;
let banner: string;
let key: string;
/** Variables that earlier commands set. */
const known: Record<string, string> = {};

before(async () => {
  posthorn = await startProcess({ env: NOTHING_CONFIGURED, startTimeoutMs: 60_000 });
  // The banner is printed after the process has begun to serve, and may arrive in parts.
  banner = await until('the whole banner', async () =>
    /\/v1\/captured-emails .*\n/.test(posthorn.output()) ? posthorn.output() : undefined,
  );
  key = /API key +(\S+)/.exec(banner)?.[1] ?? '';
  // The README uses port 3000, which may be in use here: a curl setting redirects it to the port of the test.
  writeFileSync(join(home, '.curlrc'), `silent\nconnect-to = "localhost:3000:${new URL(posthorn.url).host}"\n`);
});
after(async () => {
  await posthorn?.stop();
  rmSync(home, { recursive: true, force: true });
});

/** Runs a text in sh; the lines of its output are JSON answers. A test reads fields of many shapes. */
async function type(text: string): Promise<any[]> {
  const { stdout } = await promisify(execFile)('sh', ['-ec', text], {
    env: { PATH: process.env['PATH'], HOME: home, POSTHORN_KEY: key, ...known },
    maxBuffer: 1 << 26,
  });
  return stdout
    .trim()
    .split(/(?<=\})(?=\{)|\n/)
    .map((line) => JSON.parse(line));
}

async function get(pathname: string): Promise<any> {
  const answer = await posthorn.fetch(pathname, { headers: { authorization: `Bearer ${key}` } });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

async function settled(id: string, status: string): Promise<any> {
  return until(`${status} of ${id}`, async () => {
    const email = await get(`/v1/emails/${id}`);
    return email.status === status ? email : undefined;
  });
}

test('the first start prints a key, the owner and a send to copy, and the send works as printed', async () => {
  assert.match(key, /^ph_live_[0-9A-Za-z]{38}$/);
  const commands = banner.slice(banner.indexOf('Try it:') + 'Try it:'.length);
  const [send = ''] = commands.split(/\n\n(?=  curl .*captured)/);
  const [sent] = await type(send);
  assert.equal(sent.success, true, JSON.stringify(sent));
  await settled(sent.emails[0].id, 'delivered');
  const [captured] = await type(commands.slice(commands.indexOf(send) + send.length));
  assert.equal(captured.data[0].subject, 'It works');
  assert.deepEqual(captured.data[0].to, ['ada@example.com']);
  const { html } = await get(`/v1/captured-emails/${captured.data[0].id}`);
  assert.equal(html.trim(), '<p>My first email</p>');
});

test('`npm start` in the root of the project prints a valid key and ends on Ctrl-C', async (t) => {
  assert.ok(blocks.includes('npm start\n'), 'the README says so');
  const started = await npmStart(join(temporaryFolder(t), 'data'));
  undoAfter(t, () => started.kill());
  const answer = await started.fetch('/v1/emails');
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  const page = await fetch(started.url, { headers: { accept: 'text/html' } });
  assert.match(await page.text(), /<title>Posthorn/, 'the dashboard is served at the root');
  const end = await started.interrupt();
  assert.ok(end === 0 || end === 130 || end === 'SIGINT', `${end} ${started.output()}`); // depends on the version of npm
  await assert.rejects(fetch(`${started.url}/health`), 'no process is left running');
});

test('the owner signs in with the printed password', async () => {
  const email = /owner +(\S+)/.exec(banner)?.[1];
  const password = /password +(\S+)/.exec(banner)?.[1];
  const answer = await posthorn.fetch('/auth/login', { body: { email, password }, headers: { authorization: '' } });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
});

test('the commands of the README work as they stand, in their order', async () => {
  const [send, look, follow, newsletter, confirm, issue, ...others] = blocks.filter((one) => one.includes('curl '));
  assert.ok(send !== undefined && look !== undefined && follow !== undefined);
  assert.ok(newsletter !== undefined && confirm !== undefined && issue !== undefined);
  assert.deepEqual(others, [], 'a command in the README is not tested here');
  const [sent] = await type(send);
  assert.equal(sent.status, 'queued', JSON.stringify(sent));
  const email = await settled(sent.emails[0].id, 'delivered');
  const [captured, emails] = await type(look);
  assert.equal(captured.data[0].email_id, email.id);
  assert.equal(captured.data[0].subject, 'It works');
  assert.equal(emails.data[0].id, email.id);
  assert.equal(emails.data[0].status, 'delivered');
  const [webhook, events] = await type(follow);
  assert.match(webhook.secret, /^whsec_/, JSON.stringify(webhook));
  assert.deepEqual(
    events.data.map((event: { type: string; email: { id: string } }) => [event.type, event.email.id]).slice(0, 2),
    [
      ['delivery', email.id],
      ['send', email.id],
    ],
  );

  const newsletterId = await print(newsletter, 'NEWSLETTER');
  const page = /at `(http\S+\/n\/\S+)`/.exec(README)?.[1] ?? '';
  assert.equal((await fetch(`${posthorn.url}${new URL(page).pathname}`)).status, 200);
  const signUp = await posthorn.fetch(`/api${new URL(page).pathname}/subscribe`, {
    body: { email: 'grace@example.com' },
  });
  assert.equal(signUp.status, 200, JSON.stringify(signUp.body));
  await mailTo('grace@example.com', /confirm/);
  const { pathname, search } = new URL(await print(confirm));
  assert.match(await (await fetch(`${posthorn.url}${pathname}${search}`)).text(), /is confirmed/);
  known['NEWSLETTER'] = newsletterId;
  const [checked, started, stats] = await type(issue);
  assert.equal(checked.ok, true, JSON.stringify(checked));
  assert.partialDeepStrictEqual(started, { success: true, total_recipients: 1 });
  assert.equal(stats.total, stats.pending + stats.sent + stats.failed);
  // The recipients are frozen after the answer to the send, so the statistics may still be empty.
  const list = `/v1/newsletters/${newsletterId}/issues`;
  const { id: issueId } = (await get(list)).data[0];
  await until('the number of recipients', async () =>
    (await get(`${list}/${issueId}/stats`)).total === 1 ? true : undefined,
  );
  const { text } = await mailTo('grace@example.com', /News of October/);
  const leave = new URL(/http\S+\/api\/n\/unsubscribe\S+/.exec(text)?.[0] ?? '');
  assert.match(await (await fetch(`${posthorn.url}${leave.pathname}${leave.search}`)).text(), /You are unsubscribed/);
});

/** Returns the output of a block, or the variable that it sets. */
async function print(block: string, variable?: string): Promise<string> {
  const env = { PATH: process.env['PATH'], HOME: home, POSTHORN_KEY: key };
  const text = variable === undefined ? block : `${block}\necho $${variable}`;
  return (await promisify(execFile)('sh', ['-ec', text], { env })).stdout.trim();
}

async function mailTo(to: string, subject: RegExp): Promise<{ text: string }> {
  return until(`mail to ${to}`, async () => {
    const { data } = await get(`/v1/captured-emails?to=${to}`);
    const found = data.find((one: { subject: string }) => subject.test(one.subject));
    return found === undefined ? undefined : get(`/v1/captured-emails/${found.id}`);
  });
}

test('the receiver of the README prints the events of the webhook of the README', async (t) => {
  const [create = ''] = (blocks.find((block) => block.includes('/v1/webhooks')) ?? '').split('\n\n');
  const [, file = ''] = /POSTHORN_WEBHOOK_SECRET=whsec_… node (\S+)`/.exec(README) ?? [];
  // Port 4000 may be in use: start the same receiver on a free port.
  const port = await freePort();
  const [webhook] = await type(create.replace('4000', String(port)));
  const receiver = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { createServer } from 'node:http';
       import { onRequest } from ${JSON.stringify(join(ROOT, file))};
       createServer(onRequest).listen(${port}, () => console.log('ready'));`,
    ],
    {
      env: { PATH: process.env['PATH'], POSTHORN_WEBHOOK_SECRET: webhook.secret },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  undoAfter(t, () => receiver.kill('SIGKILL'));
  let printed = '';
  receiver.stdout.setEncoding('utf8').on('data', (part: string) => void (printed += part));
  const says = (text: string) =>
    until(`“${text}” of the receiver`, async () => {
      assert.equal(receiver.exitCode, null, printed);
      return printed.includes(text) ? true : undefined;
    });
  await says('ready');
  await type(blocks.find((block) => block.includes('/v1/send')) ?? '');
  await says('delivery ada@example.com');
});

test('the simulator addresses of the README have the outcomes that it names', async () => {
  const sentence = /Send to (.*?) to see the other outcomes/s.exec(README)?.[1] ?? '';
  const names = [...sentence.matchAll(/`([a-z]+)@/g)].map((match) => match[1]);
  assert.deepEqual(names, ['bounce', 'complaint', 'delay']);
  const [command = ''] = blocks.filter((block) => block.includes('/v1/send'));
  const to = async (name: string): Promise<string> => {
    const [sent] = await type(command.replace('ada@example.com', `${name}@simulator.amazonses.com`));
    return sent.emails[0].id;
  };
  const [bounce, complaint, delay] = [await to('bounce'), await to('complaint'), await to('delay')];
  const typesOf = (email: { events: { type: string }[] }): string[] => email.events.map((event) => event.type);
  const bounced = await settled(bounce, 'bounced');
  assert.equal(bounced.events.at(-1).event_data.bounce.bounceType, 'Permanent');
  assert.deepEqual(typesOf(await settled(complaint, 'complained')), ['send', 'delivery', 'complaint']);
  assert.deepEqual(typesOf(await settled(delay, 'delivered')), ['send', 'delivery_delay', 'delivery']);
  const [again] = await type(command.replace('ada@example.com', 'bounce@simulator.amazonses.com'));
  assert.equal(again.status, 'suppressed', 'an address that bounced permanently is suppressed');
});

test('every link of the README leads to a page of the server or a file of the project', async () => {
  for (const [, url = ''] of README.matchAll(/<http:\/\/localhost:3000(\/[^>]*)>/g)) {
    const answer = await fetch(`${posthorn.url}${url}`);
    assert.equal(answer.status, 200, url);
  }
  for (const [, file = ''] of README.matchAll(/\]\((?!http)([^)#]+)\)/g))
    assert.ok(isThere(join(ROOT, file)), `${file} is not there`);
});

const isThere = (path: string): boolean => {
  try {
    readFileSync(path);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EISDIR';
  }
};

test('the settings of the README start a process that sends for the domain they name', async () => {
  const [block = ''] = blocks.filter((one) => one.includes('POSTHORN_SENDER_DOMAINS'));
  const env = Object.fromEntries([...block.matchAll(/^([A-Z_]+)=(\S+)/gm)].map((match) => [match[1], match[2]]));
  assert.deepEqual(Object.keys(env), ['POSTHORN_PROVIDER_URL', 'POSTHORN_SENDER_DOMAINS']);
  assert.deepEqual(loadSettings(env).warnings, []);
  const database = await createTestDatabase();
  // Start the API only: a worker would connect to smtp.example.com.
  const started = await startProcess({ databaseUrl: database.url, env, args: ['--role', 'api'] });
  try {
    const email = { from: 'Shop <shop@example.com>', to: ['ada@example.com'], subject: 'Real', text: 'Hello' };
    const answer = await started.fetch('/v1/send', { body: email });
    assert.equal(answer.status, 202, JSON.stringify(answer.body));
    const foreign = await started.fetch('/v1/send', { body: { ...email, from: 'shop@example.org' } });
    assert.equal(foreign.status, 422);
    assert.match(
      JSON.stringify(foreign.body),
      /POSTHORN_SENDER_DOMAINS/,
      'the message names the setting that verifies the domain',
    );
    assert.doesNotMatch(started.output(), /password@/, 'the password of the SMTP server is not printed');
  } finally {
    await started.stop();
    await database.close();
  }
});
