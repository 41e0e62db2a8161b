import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Db } from '#platform/db/database.ts';
import type { Log } from '#platform/log.ts';
import { keepSecretCheck, readServerFacts } from './queries.ts';

const PURPOSE = 'instance-check';
const OLDEST = 150_000;

/**
 * Refuses a database on which a 2xx could not be kept: too old, or answering before the commit is on disk. Without
 * fsync, or without full pages in its log, a power cut may lose all of it: `mayLose` says that this is wanted.
 */
export async function checkServer(db: Db, log: Log, mayLose: boolean): Promise<void> {
  const facts = await readServerFacts(db);
  if (facts.version < OLDEST) {
    throw new Error(`PostgreSQL 15 or later is needed; this is ${Math.floor(facts.version / 10_000)}.`);
  }
  if (facts.synchronousCommit === 'off') {
    throw new Error(
      'This PostgreSQL has synchronous_commit off: accepted mail could be lost. Turn it on for this database.',
    );
  }
  for (const name of ['fsync', 'full_page_writes'] as const) {
    if (facts[name] !== 'off') continue;
    const danger = `PostgreSQL runs with ${name} off: a power cut can lose accepted mail or the whole database`;
    if (!mayLose) throw new Error(`${danger}. Turn it on, or set POSTHORN_UNSAFE_DATABASE=allow.`);
    log.warn(danger);
  }
}

/** Refuses a secret other than the one this database was first used with. */
export async function checkSecret(db: Db, secrets: Secrets): Promise<void> {
  const kept = await keepSecretCheck(db, secrets.seal(PURPOSE, Buffer.from('posthorn')));
  try {
    secrets.open(PURPOSE, kept);
  } catch (error) {
    throw new Error(
      'POSTHORN_SECRET_KEY (or the secret-key file in the data directory) is not the one this database was made with. ' +
        'Its encrypted values cannot be read with another one.',
      { cause: error },
    );
  }
}
