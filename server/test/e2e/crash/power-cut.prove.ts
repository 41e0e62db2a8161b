/**
 * The power fails moments after the first start: a file system on a block device of its own goes down with all that was
 * not brought to the device. `lasting-files.test.ts` and `start.prove.ts` prove on every machine that files are brought
 * there in time.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeDisk, whyNoDisk } from '../../harness/disk.ts';
import { startProcess } from '../../harness/posthorn-process.ts';

const why = whyNoDisk();
if (why !== undefined) console.log(`No power was cut on this machine: ${why}.`);
else {
  test('after a power cut, everything that the first start printed and answered is there', async (t) => {
    const disk = makeDisk(t, 400);
    const dataDir = join(disk.folder, 'new/data');
    const env = { POSTHORN_DATA_DIR: dataDir, POSTHORN_SECRET_KEY: undefined };
    const first = await startProcess({ env });
    const accepted: string[] = [];
    for (let number = 0; number < 20; number += 1) {
      const { status, body } = await first.fetch('/v1/send', { body: email(number) });
      assert.equal(status, 202);
      accepted.push((body as { emails: { id: string }[] }).emails[0]?.id ?? ''); // the answer of one recipient
    }
    const secret = readFileSync(join(dataDir, 'secret-key'), 'utf8');
    const postmaster = Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
    disk.cut();
    await first.kill();
    killIfThere(postmaster);
    await disk.restore();

    assert.ok(existsSync(join(dataDir, 'secret-key')), 'the secret key is there');
    assert.equal(readFileSync(join(dataDir, 'secret-key'), 'utf8'), secret);
    const second = await startProcess({ env: { ...env, POSTHORN_API_KEY: first.key } });
    try {
      for (const id of accepted) assert.equal((await second.fetch(`/v1/emails/${id}`)).status, 200, id);
    } finally {
      await second.stop();
    }
  });
}

/** PostgreSQL may end by itself once its files cannot be written. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

const email = (number: number) => ({
  from: 'Posthorn <hello@posthorn.test>',
  to: [`ada+${number}@example.com`],
  subject: 'On the disk',
  text: 'Once accepted, it is there.',
});
