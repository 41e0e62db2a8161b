/**
 * Runs the commands of the user documentation in a shell as printed: those of one page in their order in one shell,
 * against a process without settings. Beside each page stands what the page leaves to its reader: a file, an id.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { aPng } from '../harness/a-png.ts';
import { startOnTestDatabase } from '../harness/posthorn-on-test-database.ts';
import { freePort, type PosthornProcess } from '../harness/posthorn-process.ts';
import { until } from '../harness/until.ts';

const DOCS = join(import.meta.dirname, '../../../docs');

interface Guide {
  /** Lines of the shell before the first line of the page that contains the key. */
  first?: Record<string, string>;
  /** Requests that the page supposes to be done: path and body. */
  given?: readonly (readonly [path: string, body: object])[];
  /** Blocks that contain one of these are not run here, for the reason beside it. */
  leftOut?: Record<string, string>;
}

const ID_OF_LAST = 'ID=$(printf \'%s\' "$LAST" | grep -o \'"id":"[^"]*\' | head -n 1 | cut -d\'"\' -f4)';
const ID_OF_NEWSLETTER = { 'newsletters/$NEWSLETTER': 'NEWSLETTER=$ID_1' };
const aNewsletter = (slug: string) =>
  ['/v1/newsletters', { name: slug, slug, from_email: 'news@posthorn.test' }] as const;
const NEEDS_DNS = 'domain-journey.prove.ts makes the calls with a DNS server of its own';

const GUIDES: Record<string, Guide> = {
  'api-keys': { first: { '/v1/api-keys/$ID': ID_OF_LAST } },
  automations: {
    given: [
      ['/v1/templates', { name: 'Goodbye', alias: 'goodbye', subject: 'Goodbye', html: '<p>Come back soon.</p>' }],
    ],
  },
  broadcasts: { leftOut: { '=ph_live_…': 'the shell has the key' } },
  contacts: {
    first: { '/lists/$LIST/contacts': `${ID_OF_LAST}; LIST=$ID`, '/lists/$LIST/import': 'cp "$FILES/contacts.csv" .' },
    leftOut: { '=ph_live_…': 'the shell has the key' },
  },
  images: { first: { '@logo.png': 'cp "$FILES/logo.png" .', '/images/$ID': ID_OF_LAST } },
  'moving-from-listmonk': {
    given: [aNewsletter('moved')],
    first: { 'subscribers/import': 'NEWSLETTER=$ID_1; cp "$FILES/subscribers.csv" .' },
  },
  'scheduled-email': {},
  'smtp-relay': {},
  suppressions: { leftOut: { 'aws sesv2': 'an account at Amazon' } },
  tracking: { given: [aNewsletter('tracked')], first: { ...ID_OF_NEWSLETTER, '/workspaces/$ID': ID_OF_LAST } },
  webhooks: {
    first: { '/webhooks/$ID/test': ID_OF_LAST },
    leftOut: {
      'examples/webhooks': 'examples.test.ts runs the programs',
      'openssl dgst': 'it takes a delivery that was kept by hand; no test runs it',
    },
  },
};

/** Pages whose commands other tests run, or no test runs, and why. */
const ELSEWHERE: Record<string, string> = {
  'api-design': 'npx installs a generator; openapi-client.prove.ts generates a client with it',
  bimi: NEEDS_DNS,
  deploying: 'back-up.prove.ts, without systemd and nginx',
  domains: NEEDS_DNS,
  'imports-and-exports': 'newsletters-guide.prove.ts',
  'local-development': 'jq, and programs that stay in front; no test runs them',
  'moving-from-resend-or-postmark': 'first-send.prove.ts',
  newsletters: 'newsletters-guide.prove.ts',
  receiving: NEEDS_DNS,
  ses: 'an account at Amazon; policy.test.ts reads the policies',
  templates: 'newsletters-guide.prove.ts',
};

/** Each call ends the shell when its answer is an error. `$LAST` is the last answer. */
const SHELL = `set -e
curl() {
  LAST=$(command curl "$@") || { printf 'curl %s\\n%s\\n' "$*" "$LAST"; exit 1; }
  printf '%s\\n' "$LAST"
}
`;

const home = mkdtempSync(join(tmpdir(), 'posthorn-guides-'));
let posthorn: PosthornProcess;
let known: Record<string, string>;

before(async () => {
  const relayPort = await freePort();
  posthorn = await startOnTestDatabase({
    env: { POSTHORN_API_KEY: undefined, POSTHORN_LOG_LEVEL: undefined, POSTHORN_SMTP_RELAY_PORT: String(relayPort) },
    startTimeoutMs: 60_000,
  });
  // The banner is printed after the process has begun to serve.
  const [, password = '', key = ''] = await until(
    'the banner',
    async () => /password +(\S+)\n\s+API key +(\S+)\n/.exec(posthorn.output()) ?? undefined,
  );
  known = { POSTHORN_URL: 'http://localhost:3000', POSTHORN_KEY: key, PASSWORD: password, FILES: home };
  // The ports of the pages may be in use here: a curl setting redirects them to those of the test.
  const redirected = [
    `connect-to = "localhost:3000:${new URL(posthorn.url).host}"`,
    `connect-to = "127.0.0.1:2587:127.0.0.1:${relayPort}"`,
  ];
  writeFileSync(join(home, '.curlrc'), `silent\nshow-error\nfail-with-body\n${redirected.join('\n')}\n`);
  writeFileSync(join(home, 'contacts.csv'), 'email,first_name\r\ncarl@example.com,Carl\r\n');
  const listmonk = 'email,name,attributes,status\r\ndora@example.com,Dora,"{""city"": ""Bonn""}",enabled\r\n';
  writeFileSync(join(home, 'subscribers.csv'), listmonk);
  writeFileSync(join(home, 'logo.png'), await aPng(40, 30, '#114488'));
});
after(async () => {
  await posthorn?.stop();
  rmSync(home, { recursive: true, force: true });
});

const blocksOf = (page: string): string[] =>
  [...readFileSync(join(DOCS, `${page}.md`), 'utf8').matchAll(/```sh\n(.*?)```/gs)].map((match) => match[1] ?? '');

async function post(path: string, body: object): Promise<string> {
  const answer = await posthorn.fetch(path, {
    method: 'POST',
    headers: { authorization: `Bearer ${known['POSTHORN_KEY']}` },
    body,
  });
  assert.ok(answer.status < 300, `${path}: ${JSON.stringify(answer.body)}`);
  return String((answer.body as { id?: unknown }).id); // each of these answers is a record
}

for (const [page, { given = [], first = {}, leftOut = {} }] of Object.entries(GUIDES)) {
  test(`the commands of docs/${page}.md are answered with 2xx, in their order`, async () => {
    const ids: Record<string, string> = {};
    for (const [index, [path, body]] of given.entries()) ids[`ID_${index + 1}`] = await post(path, body);
    const isLeftOut = (block: string) => Object.keys(leftOut).some((part) => block.includes(part));
    const blocks = blocksOf(page);
    const left = Object.keys(leftOut).filter((part) => !blocks.some((block) => block.includes(part)));
    assert.deepEqual(left, [], 'a block that is left out is not in the page any more');
    const run = blocks.filter((block) => !isLeftOut(block));
    assert.ok(run.length > 0, 'the page has no commands');
    let script = run.join('\n');
    for (const [part, line] of Object.entries(first)) {
      const at = script.indexOf(part);
      assert.notEqual(at, -1, `no command with ${part}`);
      const start = script.lastIndexOf('\ncurl', at) + 1;
      script = `${script.slice(0, start)}${line}\n${script.slice(start)}`;
    }
    const folder = mkdtempSync(join(home, `${page}-`));
    const ended = promisify(execFile)('sh', ['-c', `${SHELL}${script}`], {
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: home, ...known, ...ids },
      maxBuffer: 1 << 26,
    });
    await ended.catch((error: { stdout: string; stderr: string }) => assert.fail(`${error.stdout}\n${error.stderr}`));
  });
}

test('each page with commands is run here, or is listed with the test that runs it or the reason why none does', () => {
  const pages = globSync('*.md', { cwd: DOCS }).map((file) => basename(file, '.md'));
  const withCommands = pages.filter((page) => blocksOf(page).length > 0).toSorted();
  assert.deepEqual(withCommands, [...Object.keys(GUIDES), ...Object.keys(ELSEWHERE)].toSorted());
});
