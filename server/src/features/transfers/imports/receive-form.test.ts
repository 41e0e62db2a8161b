import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError, unacceptable } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { ImportTarget, TransferTarget } from '../transfer-target.ts';
import { receiveForm } from './receive-form.ts';

const LIST = 'list:0197f3d2-6c1e-7a50-9b1f-3f2f6f0c9a11';
const READ = new Error('a byte of the file was read');

/** Without a database: an upload that begins, and a byte of the file that is asked for, fail in their own way. */
async function outcome(fields: Record<string, string>, { scopes = ['contacts:write'] } = {}): Promise<unknown> {
  const db = new Proxy({}, { get: () => assert.fail('the upload began') });
  const actor = { may: (scope: string) => scopes.includes(scope) };
  const imports = {
    layout: { fields: [] },
    async authorise(_ctx: unknown, _id: string, { alreadyConfirmed }: { alreadyConfirmed: boolean }) {
      if (!alreadyConfirmed) throw unacceptable('consent', 'Say whether they have confirmed.');
    },
  } as unknown as ImportTarget; // no more of it is used before the file
  const target = { type: 'list', imports } as unknown as TransferTarget;
  async function* pieces(): AsyncGenerator<Buffer> {
    const parts = Object.entries(fields).map(
      ([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    yield Buffer.from(`${parts.join('')}--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n`);
    throw READ;
  }
  const ctx = { db, actor, workspaceId: 'w' } as unknown as Ctx;
  const asked = {
    targets: new Map([['list', target]]),
    contentType: 'multipart/form-data; boundary=b',
    ignored: () => undefined,
  };
  const upload = { stop: () => undefined, isGone: () => false, progress: () => ({ bytes: 0, waitedMs: 0 }) };
  return receiveForm(ctx, asked as never, Object.assign(pieces(), upload)).then(
    () => 'received',
    (error: unknown) => (error instanceof AppError ? [error.name, error.extras.param] : error),
  );
}

test('fields before the file are refused before a byte of the file is read, and before anything is stored', async () => {
  const consent = 'already_confirmed';
  assert.deepEqual(await outcome({ dry_rum: 'true' }), ['validation_error', 'dry_rum']);
  assert.deepEqual(await outcome({ dryRun: 'true', dry_run: 'false' }), ['validation_error', 'dry_run']);
  assert.deepEqual(await outcome({ on_conflict: 'never' }), ['validation_error', 'on_conflict']);
  assert.deepEqual(await outcome({ target: 'segment' }), ['validation_error', 'target']);
  assert.deepEqual(await outcome({ target: LIST, consent }, { scopes: [] }), ['permission_error', undefined]);
  const both = { target: LIST, consent, send_confirmation: 'true' };
  assert.deepEqual(await outcome(both), ['validation_error', 'send_confirmation']);
});

test('a field that may still come behind the file is waited for', async () => {
  for (const fields of [{}, { target: LIST }, { on_conflict: 'skip' }, { consent: 'already_confirmed' }]) {
    const failure = await outcome(fields as Record<string, string>);
    assert.match(String(failure), /the upload began/);
  }
});
