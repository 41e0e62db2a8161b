/**
 * lighthouse: Google's Lighthouse on the built dashboard, as a desktop and as a phone (a simulated one: slow 4G, a
 * processor four times slower), each page several times. Lighthouse is 190 MB of packages that nothing else needs, so
 * that this bench installs it, in its own folder, when it is run for the first time. Beside the scores, the yardsticks:
 * Lighthouse's own measure of the machine, and a page of one line.
 *
 *   npm run bench -- lighthouse [runs]
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildDashboardIfNeeded } from '../../scripts/dashboard.mjs';
import { TEST_ADMIN } from '../test/harness/app-settings.ts';
import { serveAnswers, startBrowser } from '../test/harness/browser.ts';
import { freePort, startProcess } from '../test/harness/posthorn-process.ts';
import { startBenchDatabase } from './bench-database.ts';
import { report } from './results.ts';

const VERSION = '13.5.0';
const FOLDER = join(import.meta.dirname, '../../.cache/lighthouse', VERSION);
const RUNS = Number(process.argv[2] ?? 3);
const EMAILS = 200;
/** As the editor stores a text. */
const BLOCKS = {
  kind: 'blocks',
  version: 2,
  document: {
    type: 'doc',
    content: Array.from({ length: 12 }, () => ({
      type: 'paragraph',
      attrs: { align: 'left' },
      content: [{ type: 'text', text: 'It is dark for longer than anybody remembers, and the ships wait. '.repeat(4) }],
    })),
  },
};

interface Result {
  categories: Record<string, { score: number | null }>;
  audits: Record<string, { numericValue?: number }>;
  environment: { benchmarkIndex: number };
  runtimeError?: { message: string };
}
type Lighthouse = (url: string, flags: object, config?: object) => Promise<{ lhr: Result } | undefined>;

async function load(): Promise<{ lighthouse: Lighthouse; desktop: object }> {
  if (!existsSync(join(FOLDER, 'node_modules/lighthouse'))) {
    const options = ['--prefix', FOLDER, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error'];
    execFileSync('npm', ['install', ...options, `lighthouse@${VERSION}`], { stdio: 'inherit' });
  }
  const at = (file: string) => pathToFileURL(join(FOLDER, 'node_modules/lighthouse/core', file)).href;
  const { default: lighthouse } = await import(at('index.js'));
  const { default: desktop } = await import(at('config/desktop-config.js'));
  return { lighthouse, desktop };
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const scores = (values: number[]): string => values.map((value) => (value * 100).toFixed(0)).join(', ');

const { lighthouse, desktop } = await load();
const database = await startBenchDatabase();
const port = await freePort();
const env = {
  POSTHORN_DASHBOARD_FILES: (await buildDashboardIfNeeded()) ?? '',
  POSTHORN_ADMIN_EMAIL: TEST_ADMIN.email,
  POSTHORN_ADMIN_PASSWORD: TEST_ADMIN.password,
};
const posthorn = await startProcess({ databaseUrl: database.url, startTimeoutMs: 180_000, env });
const browser = await startBrowser([`--remote-debugging-port=${port}`]);
const plain = await serveAnswers(() => ({
  status: 200,
  body: '<!doctype html><html lang="en"><title>A line</title><main><h1>A line</h1></main>',
  headers: { 'content-type': 'text/html' },
}));
try {
  const made = async (path: string, body: unknown): Promise<string> => {
    const answer = await posthorn.fetch(path, { body });
    if (answer.status > 202) throw new Error(JSON.stringify(answer.body));
    return (answer.body as { id: string }).id; // an answer of our own API
  };
  const recipients = Array.from({ length: EMAILS }, (_, n) => `reader${n}@example.com`);
  for (const to of recipients) {
    await posthorn.fetch('/v1/send', {
      body: { from: 'hello@posthorn.test', to, subject: `Your receipt for ${to}`, text: 'Thank you.' },
    });
  }
  const newsletter = await made('/v1/newsletters', {
    name: 'Nordlicht',
    slug: 'nordlicht',
    from_email: 'news@posthorn.test',
  });
  const issues = `/v1/newsletters/${newsletter}/issues`;
  const issue = await made(issues, { subject: 'The long night', html_body: '<h1>The long night</h1><p>Hello.</p>' });
  const inBlocks = await made(issues, { subject: 'In blocks', html_body: '<p>Hello.</p>', editor: BLOCKS });
  const signedIn = await fetch(`${posthorn.url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-posthorn-session': 'cookie' },
    body: JSON.stringify(TEST_ADMIN),
  });
  const cookie = signedIn.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  if (cookie === '') throw new Error(`no session: ${signedIn.status} ${await signedIn.text()}`);

  const judge = async (name: string, url: string, isPhone: boolean, isSignedIn: boolean): Promise<void> => {
    const seen: Result[] = [];
    while (seen.length < RUNS) {
      const flags = {
        port,
        onlyCategories: ['performance', 'accessibility'],
        ...(isSignedIn ? { extraHeaders: { cookie } } : {}),
      };
      const answer = await lighthouse(url, flags, isPhone ? undefined : desktop);
      if (answer === undefined || answer.lhr.runtimeError !== undefined)
        throw new Error(answer?.lhr.runtimeError?.message);
      seen.push(answer.lhr);
    }
    const of = (category: string) => seen.map(({ categories }) => categories[category]?.score ?? 0);
    const ms = (audit: string) => median(seen.map(({ audits }) => audits[audit]?.numericValue ?? 0)).toFixed(0);
    const index = median(seen.map(({ environment }) => environment.benchmarkIndex)).toFixed(0);
    report(
      `lighthouse, ${name}, ${isPhone ? 'phone' : 'desktop'}`,
      `performance ${scores(of('performance'))}; accessibility ${scores(of('accessibility'))}; largest paint ${ms('largest-contentful-paint')} ms, blocking ${ms('total-blocking-time')} ms; machine ${index}`,
      name.startsWith('yardstick') ? 'none' : '≥ 95 in both',
    );
  };
  for (const isPhone of [false, true]) {
    await judge('yardstick, a page of one line', plain.origin, isPhone, false);
    await judge('sign-in', `${posthorn.url}/`, isPhone, false);
    for (const [name, path] of [
      ['Overview', '/'],
      ['Emails', '/emails'],
      ['Outbox', '/outbox'],
      ['a newsletter', `/newsletters/${newsletter}`],
      ['editor of an issue in blocks', `/newsletters/${newsletter}/issues/${inBlocks}/edit`],
      ['editor of an issue in HTML', `/newsletters/${newsletter}/issues/${issue}/edit`],
      ['settings', '/settings'],
    ] as const)
      await judge(name, `${posthorn.url}${path}`, isPhone, true);
  }
} finally {
  await plain.close();
  await browser.close();
  await posthorn.stop();
  await database.close();
}
