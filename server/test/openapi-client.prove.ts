/**
 * A client that `@hey-api/openapi-ts` generates from openapi.json: without a warning, it compiles, and its methods and
 * types have the names that a person would look for. The generator takes about 4 s, and the compiler 1 s.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';

const run = promisify(execFile);
const SERVER = join(import.meta.dirname, '..');
const GENERATOR = join(SERVER, 'node_modules/@hey-api/openapi-ts/bin/run.js');
const COMPILER = join(SERVER, 'node_modules/.bin/tsc');

/** As strict as the generator's own runtime allows: it does not compile with exactOptionalPropertyTypes. */
const TSCONFIG = {
  compilerOptions: {
    noEmit: true,
    strict: true,
    noUncheckedIndexedAccess: true,
    noImplicitOverride: true,
    noFallthroughCasesInSwitch: true,
    module: 'preserve',
    target: 'esnext',
    lib: ['esnext', 'dom', 'dom.iterable'],
    types: [],
    allowImportingTsExtensions: true,
  },
  include: ['.'],
};

/** A program of a customer's: it compiles only if methods, bodies, headers, answers and errors have these types. */
const PROGRAM = `
import {
  type ApiKey, type Email, type EmailEvent, type EmailPage, type Error, type Issue, type Newsletter,
  type NewsletterPage, type Subscriber, type Suppression, type Webhook, type WebhookDelivery, type Workspace,
  createNewsletter, createSubscriber, getEmail, getIssue, listEmails, listNewsletters, rotateApiKey, sendEmail,
} from './client/index.ts';

const sent = await sendEmail({
  body: { from: 'Acme <hello@example.com>', to: ['ada@example.com'], subject: 'Hello', text: 'Hello' },
  headers: { 'Idempotency-Key': 'order-42' },
});
export const refused: Error | undefined = sent.error;
export const kept: string[] = sent.data !== undefined && 'jobId' in sent.data ? [sent.data.jobId] : [];

const email = await getEmail({ path: { id: kept[0] ?? '' } });
export const events: EmailEvent[] = email.data?.events ?? [];
export const read: Email | undefined = email.data;

const made = await createNewsletter({ body: { name: 'Weekly', slug: 'weekly' } });
const newsletter: Newsletter | undefined = made.data;
const joined = await createSubscriber({ path: { id: newsletter?.id ?? '' }, body: { email: 'ada@example.com' } });
export const subscriber: Subscriber | undefined = joined.data;
export const page: NewsletterPage | undefined = (await listNewsletters({ query: { limit: '10' } })).data;
export const emails: EmailPage | undefined = (await listEmails()).data;
export const issue: Issue | undefined = (await getIssue({ path: { id: '', issueId: '' } })).data;
// The body may be left out.
export const rotated = await rotateApiKey({ path: { id: '' } });
export type Others = [ApiKey, Suppression, Webhook, WebhookDelivery, Workspace];
`;

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'posthorn-client-'));
});
after(() => rm(folder, { recursive: true, force: true }));

test('a client is generated without a warning, and a program that uses it compiles', async () => {
  const input = join(SERVER, 'openapi.json');
  const options = ['-i', input, '-o', join(folder, 'client'), '--no-log-file'];
  const { stdout, stderr } = await run(process.execPath, [GENERATOR, ...options]);
  assert.equal(stderr, '');
  assert.doesNotMatch(stdout, /warn|error|⚠|✗|skipp/i);
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  await writeFile(join(folder, 'program.ts'), PROGRAM);
  const compiled = await run(COMPILER, ['-p', folder]).catch((error: { stdout: string }) => error);
  assert.equal(compiled.stdout, '');

  const types = await readFile(join(folder, 'client/types.gen.ts'), 'utf8');
  const methods = [...(await readFile(join(folder, 'client/sdk.gen.ts'), 'utf8')).matchAll(/^export const (\w+) =/gm)];
  assert.ok(methods.length > 100);
  // The generator numbers a name that is taken already.
  assert.deepEqual(
    [...types.matchAll(/^export type (\w+\d) =/gm)].map(([, name]) => name),
    [],
  );
});
