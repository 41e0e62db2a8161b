/**
 * `npm run shots`: a picture of every page, light and dark, at 1280 and 390 px, into `shots/` or the folder that
 * `SHOTS` names. Arguments take only the pages whose names begin so: `npm run shots -- issue import`. It fails when a
 * route has no picture, when a page is wider than its window, and when the console of the browser has errors.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DESKTOP, PHONE } from '../../server/test/harness/browser.ts';
import { startKnot } from '../../server/test/harness/knot.ts';
import { freePort } from '../../server/test/harness/posthorn-process.ts';
import { type RunningDashboard, startDashboard } from '../test/harness/dashboard.ts';
import { seed } from './seed.ts';
import { seedBroadcasts } from './seed-broadcasts.ts';
import { seedContacts } from './seed-contacts.ts';
import { seedAutomations } from './seed-automations.ts';
import { seedDomains } from './seed-domains.ts';
import { seedReceived } from './seed-received.ts';
import { seedScheduled } from './seed-scheduled.ts';
import { seedTemplates } from './seed-templates.ts';
import { EMPTY, fullShots, OUTSIDE, type Page, type Shot, type Shots } from './shot-list.ts';

const FOLDER = process.env['SHOTS'] ?? join(import.meta.dirname, '../shots');
const ROUTES = join(import.meta.dirname, '../src/app/routes.tsx');
const wanted = process.argv.slice(2);
const isWanted = (name: string): boolean => wanted.length === 0 || wanted.some((start) => name.startsWith(start));
const problems = new Set<string>();

if (wanted.length === 0) rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
const [knot, relayPort, mailPort] = await Promise.all([startKnot(), freePort(), freePort()]);
const dashboard = await startDashboard({
  env: {
    POSTHORN_DNS_SERVERS: knot.server,
    POSTHORN_SMTP_RELAY_PORT: String(relayPort),
    POSTHORN_INBOUND_SMTP_PORT: String(mailPort),
    POSTHORN_EGRESS_ALLOW: '127.0.0.1/32',
  },
});
try {
  await takeAll(OUTSIDE, (path) => dashboard.open(path, { reducedMotion: 'reduce' }));
  await takeAll(EMPTY, signedIn(dashboard));
  const domains = await seedDomains(dashboard, { knot, relayPort });
  const received = await seedReceived(dashboard, { ...domains, mailPort });
  const templates = await seedTemplates(dashboard);
  const ids = { ...(await seed(dashboard)), ...templates, ...(await seedScheduled(dashboard, templates.template)) };
  const contacts = await seedContacts(dashboard);
  const automations = await seedAutomations(dashboard);
  const broadcasts = await seedBroadcasts(dashboard, ids.newsletter);
  const full = fullShots({ ...ids, ...contacts, ...domains, ...received, ...automations, ...broadcasts });
  await takeAll(full, signedIn(dashboard));
  for (const route of routesWithout({ ...OUTSIDE, ...EMPTY, ...full })) problems.add(`${route} has no picture`);
} finally {
  await dashboard.stop();
  await knot.stop();
}
for (const problem of problems) console.log(problem);
process.exitCode = problems.size === 0 ? 0 : 1;

type Opens = (path: string) => ReturnType<RunningDashboard['open']>;

function signedIn(running: RunningDashboard): Opens {
  return (path) => running.openSignedIn(path, { reducedMotion: 'reduce' });
}

async function takeAll(shots: Shots, open: Opens): Promise<void> {
  const chosen = Object.entries(shots).filter(([name]) => isWanted(name));
  if (chosen.length === 0) return;
  const { context, strangers, close } = await open('/');
  for (const [name, shot] of chosen) {
    // A page of its own: a form that was filled in asks before it is left.
    const page = await context.newPage();
    page.on('console', (message) => {
      // Missing records and refused writes are answered with 4xx. Pictures of other servers are not loaded.
      const isMeant = /status of 4\d\d|"img-src /.test(message.text());
      if (message.type() === 'error' && !isMeant) problems.add(`${name}: ${message.text()}`);
    });
    page.on('pageerror', (error) => problems.add(`${name}: ${error.message}`));
    try {
      await take(page, name, typeof shot === 'string' ? { path: shot } : shot);
    } catch (error) {
      problems.add(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
    await page.close();
  }
  for (const url of strangers) problems.add(`a page asked ${url}`);
  await close();
}

/** One page in its four forms. It is loaded once: windows and colours change while it is open. */
async function take(page: Page, name: string, { path, open }: Shot): Promise<void> {
  for (const viewport of [DESKTOP, PHONE]) {
    await page.setViewportSize(viewport);
    // A dialog and a menu have their own place in each window.
    if (viewport === DESKTOP || open !== undefined) {
      await page.goto(`${dashboard.posthorn.url}${path}`);
      await settled(page);
      await open?.(page);
    }
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' });
      await settled(page);
      if (open === undefined) await grow(page, viewport);
      await page.screenshot({
        path: join(FOLDER, `${name}-${viewport.width}-${colorScheme}.png`),
        animations: 'disabled',
      });
    }
    const isWide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    if (isWide) problems.add(`${name} at ${viewport.width} px is wider than the window`);
  }
}

/** The window as high as its page. A picture beyond the window has no frames of mail, and half of the side bar. */
async function grow(page: Page, { width, height }: { width: number; height: number }): Promise<void> {
  const whole = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width, height: Math.max(height, whole) });
  await settled(page);
}

async function settled(page: Page): Promise<void> {
  await page.locator('h1:not(:text("Loading"))').first().waitFor();
  await page.waitForFunction(
    () =>
      document.querySelector('[aria-busy=true], main .mantine-Skeleton-root') === null &&
      document.fonts.status === 'loaded',
  );
  // Two frames: charts and frames of mail take their new size in the first.
  for (let frame = 0; frame < 2; frame += 1) await page.waitForFunction(() => true, undefined, { polling: 'raf' });
}

function routesWithout(shots: Shots): string[] {
  const paths = Object.values(shots).map((shot) => (typeof shot === 'string' ? shot : shot.path).replace(/\?.*/, ''));
  const routes = [...readFileSync(ROUTES, 'utf8').matchAll(/\b(?:page|outsidePage)\(\s*'([^']+)'/g)];
  return routes
    .map(([, route = '']) => route)
    .filter((route) => {
      const pattern = new RegExp(`^${route.replaceAll(/\$\w+/g, '[0-9a-f-]{36}')}$`);
      return !paths.some((path) => pattern.test(path));
    });
}
