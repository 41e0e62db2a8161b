// tracking: the pixel and the links of 100 emails at 2,000 requests a second in all, as image proxies ask for them,
// each recorded. Beside it the same path with a token that is none of ours: the server alone, nothing recorded.
import autocannon from 'autocannon';
import { sql } from 'kysely';
import { clickToken, openToken } from '#mail/tracking/token.ts';
import { createSecrets } from '#platform/crypto/secrets.ts';
import { newId } from '#platform/ids.ts';
import { startProcess } from '../test/harness/posthorn-process.ts';
import { startBenchDatabase } from './bench-database.ts';
import { report } from './results.ts';

const RATE = Number(process.argv[2] ?? 2_000);
const SECONDS = Number(process.argv[3] ?? 10);
/** Few, because the client prepares each of them for each connection before it begins, and would be late. */
const EMAILS = 100;
const WARM_SECONDS = 5;
const SECRET = 'a secret of this bench, thirty-two characters or more';

const database = await startBenchDatabase();
const ours = await startProcess({
  databaseUrl: database.url,
  args: ['--role', 'api'],
  env: { POSTHORN_SECRET_KEY: SECRET },
});
const key = createSecrets(SECRET).key('tracking');
const { rows } = await sql<{ id: string }>`select id from workspaces where is_home`.execute(database.db);
const workspaceId = rows[0]?.id ?? '';
const emails = Array.from({ length: EMAILS }, () => ({ workspaceId, emailId: newId(), contentId: newId() }));
const target = 'https://www.example.com/articles/2026/november?utm_source=newsletter';
const pixels = emails.map((email) => ({ path: `/t/o/${openToken(email, key)}.gif` }));
const links = emails.map((email) => ({ path: `/t/c/${clickToken(email, target, key)}` }));
const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/143.0.0.0 Safari/537.36' };

const load = (requests: { path: string }[], duration: number) =>
  autocannon({ url: ours.url, method: 'GET', headers, connections: 50, duration, overallRate: RATE, requests });
const stored = async (): Promise<number> => {
  const counted = await sql<{ count: number }>`
    select count(*)::integer as count from provider_events where workspace_id = ${workspaceId}`.execute(database.db);
  return counted.rows[0]?.count ?? 0;
};

await load([...pixels, ...links], WARM_SECONDS);
const yardstick = await load(
  pixels.map((_, index) => ({ path: `/t/o/nothing${index}` })),
  SECONDS,
);
const before = await stored();
const opens = await load(pixels, SECONDS);
const clicks = await load(links, SECONDS);
await ours.stop(); // stores what it holds
const kept = (await stored()) - before;
const asked = opens.requests.total + clicks.requests.total;
report(
  'tracking',
  `pixel ${opens.requests.average.toFixed(0)}/s p50 ${opens.latency.p50} p99 ${opens.latency.p99} ms; link ${clicks.requests.average.toFixed(0)}/s p50 ${clicks.latency.p50} p99 ${clicks.latency.p99} ms; nothing recorded ${yardstick.requests.average.toFixed(0)}/s p50 ${yardstick.latency.p50} p99 ${yardstick.latency.p99} ms; ${kept} of ${asked} recorded, ${opens.errors + clicks.errors} errors`,
  'p99 < 50 ms at 2,000 requests a second',
);
await database.close();
