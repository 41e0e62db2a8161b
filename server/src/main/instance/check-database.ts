import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Db } from '#platform/db/database.ts';
import type { Log } from '#platform/log.ts';
import { fillIn } from '../fill-in.ts';
import { keepSecretCheck, readServerFacts } from './queries.ts';
import { SERVER_FAULTS, serverFaults } from './server-faults.ts';

const PURPOSE = 'instance-check';
/** Refuses a database on which a 2xx could not be kept, as `serverFaults` says. */
export async function checkServer(db: Db, log: Log, mayLose: boolean): Promise<void> {
  for (const { kind, values } of serverFaults(await readServerFacts(db), mayLose)) {
    const { status, cause, fix } = SERVER_FAULTS[kind];
    if (status === 'error') throw new Error(fillIn(`${cause} ${fix}`, values));
    log.warn(fillIn(cause, values));
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
