import assert from 'node:assert/strict';
import { loadSettings } from '#platform/config/settings.ts';
import type { Db } from '#platform/db/database.ts';
import { createSesInspector } from '#providers/ses/ses-inspector.ts';
import { createTestClock, type TestClock } from '../../../test/harness/test-clock.ts';
import { CATALOGUE } from './catalogue.ts';
import { createDoctor, type DoctorDeps, type Report } from './doctor.ts';
import type { Finding } from './finding.ts';

export const TOPIC_ARN = 'arn:aws:sns:us-east-1:123456789012:posthorn';

export interface Patient {
  env?: Record<string, string>;
  deps?: Partial<DoctorDeps>;
}

/**
 * A look at an installation with these settings; the host of its public URL has a public address that does not
 * answer.
 */
export async function examine(db: Db, { env = {}, deps = {} }: Patient): Promise<Report> {
  const { settings } = loadSettings({
    POSTHORN_PUBLIC_URL: 'https://mail.example.com',
    PORT: '1',
    POSTHORN_SMTP_RELAY_PORT: '0',
    POSTHORN_SMTP_RELAYS_PORT: '0',
    POSTHORN_UNSAFE_DATABASE: 'allow',
    ...env,
  });
  const doctor = createDoctor({
    db,
    settings,
    clock: createTestClock(),
    createInspector: (ses) =>
      createSesInspector(ses, { credentials: { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'secret' } }),
    lookup: async () => ['127.0.0.1'],
    resolveMx: async () => [{ exchange: 'mx.example.com', priority: 10 }],
    ...deps,
  });
  const report = await doctor();
  assertDocumented(report);
  return report;
}

export const testClock = (): TestClock => createTestClock();

export const findings = ({ checks }: Report, id: string): Finding[] => checks.filter((finding) => finding.id === id);

/** The status, cause and message of the one finding of a check. */
export function finding(report: Report, id: string): Finding {
  const found = findings(report, id);
  assert.equal(found.length, 1, `${id}: ${JSON.stringify(found)}`);
  return found[0] ?? assert.fail();
}

/** Every trouble that a test has met, so that one can ask which ones none has. */
export const met = new Set<string>();

/** Whatever is found is in the catalogue, in its order, and says why and what to do exactly when it is not well. */
function assertDocumented({ provider, checks, ok }: Report): void {
  const known = [...CATALOGUE.database, ...CATALOGUE[provider], ...CATALOGUE.relay, ...CATALOGUE.inbound];
  const order = known.map(({ id }) => id);
  const seen = [...new Set(checks.map(({ id }) => id))];
  assert.deepEqual(seen, order);
  assert.equal(ok, !checks.some(({ status }) => status === 'error'));
  for (const { id, status, message, cause, fix } of checks) {
    assert.match(message, /\S/);
    const isWell = status === 'ok' || status === 'skipped';
    assert.deepEqual([cause === null, fix === null], [isWell, isWell], id);
    if (cause === null || fix === null) continue;
    assert.doesNotMatch(`${cause}${fix}`, /<|>/, 'a value was not filled in');
    const check = known.find((about) => about.id === id);
    const kind = Object.entries(check?.troubles ?? {}).find(([, trouble]) =>
      fits(`${trouble.status} ${trouble.cause}`, `${status} ${cause}`),
    );
    assert.ok(kind, `${id}: ${cause}`);
    assert.equal(status, kind[1].status);
    met.add(`${id}: ${kind[0]}`);
  }
}

const fits = (template: string, text: string): boolean => {
  const parts = template.split(/<[a-z ]+>/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^]*')}$`).test(text);
};
