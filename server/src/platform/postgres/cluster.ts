/**
 * The data directory of the embedded server. It appears by one rename, complete, so a crash in the middle of initdb
 * leaves nothing that looks like a database. The superuser's password is kept inside it, readable by its owner only.
 */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { diskFull, explainFailure, isDiskFull } from './explain-failure.ts';
import { asUser, type ServerUser } from './server-user.ts';
import { PostgresStartError } from './start-error.ts';
import { systemErrorCode } from './system-error-code.ts';

export const SUPERUSER = 'posthorn';
export const DATABASE = 'posthorn';
const PASSWORD_FILE = 'posthorn-password';

export function clusterExists(cluster: string): boolean {
  return existsSync(join(cluster, 'PG_VERSION'));
}

export function readPassword(cluster: string): string {
  try {
    return readFileSync(join(cluster, PASSWORD_FILE), 'utf8').trim();
  } catch (error) {
    const why = systemErrorCode(error) === 'EACCES' ? 'belongs to another user' : 'is missing';
    throw new PostgresStartError(`The password of the embedded database, ${join(cluster, PASSWORD_FILE)}, ${why}.`);
  }
}

/** Environment of initdb and postgres: nothing of ours. Our variables hold secrets, and PG* would change what runs. */
export const SERVER_ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', TZ: 'UTC', LC_ALL: 'C' };

export function createCluster(cluster: string, native: string, user: ServerUser | undefined): void {
  const draft = `${cluster}.new`;
  const passwordFile = `${draft}.password`;
  rmSync(draft, { recursive: true, force: true });
  try {
    mkdirSync(draft, { mode: 0o700 });
    // Hexadecimal, so that it needs no escaping in a connection URL.
    writeFileSync(passwordFile, `${randomBytes(24).toString('hex')}\n`, { mode: 0o600 });
    if (user) {
      chownSync(draft, user.uid, user.gid);
      chownSync(passwordFile, user.uid, user.gid);
    }
    initialise(draft, native, passwordFile, user);
    renameSync(passwordFile, join(draft, PASSWORD_FILE));
    renameSync(draft, cluster);
  } catch (error) {
    throw isDiskFull(error) ? diskFull(dirname(cluster)) : error;
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(draft, { recursive: true, force: true });
  }
}

function initialise(dir: string, native: string, passwordFile: string, user: ServerUser | undefined): void {
  // The builtin provider sorts by code point, the same on every machine and after every upgrade of its C library, so
  // an index never goes wrong; C.UTF-8 for the rest is what every Linux has, and macOS has not.
  const libcLocale = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8';
  const options = [
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    `--locale=${libcLocale}`,
    '--encoding=UTF8',
  ];
  const run = spawnSync(
    join(native, 'bin', 'initdb'),
    [
      `--pgdata=${dir}`,
      `--username=${SUPERUSER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--data-checksums',
      ...options,
    ],
    // cwd: initdb gives up when it cannot read the directory it is started in.
    { cwd: '/', env: SERVER_ENVIRONMENT, encoding: 'utf8', ...asUser(user) },
  );
  if (run.status !== 0) {
    throw explainFailure(
      'initdb could not make the database',
      run.error?.message ?? `${run.stdout}${run.stderr}`,
      dirname(dir),
    );
  }
}

/** Refuses a directory of another major version, untouched, with the commands that carry the data over. */
export function requireMajorVersion(cluster: string, major: string): void {
  const found = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
  if (found === major) return;
  throw new PostgresStartError(
    `The database in ${cluster} was written by PostgreSQL ${found}; this Posthorn brings PostgreSQL ${major}, which cannot read it.
Nothing was changed. Carry the data over once, with the programs of PostgreSQL ${found} (Debian: apt install postgresql-${found}), as the owner of that directory:

  cd ${dirname(cluster)}
  export PGHOST=/tmp PGUSER=${SUPERUSER} PGPASSWORD="$(cat ${cluster}/${PASSWORD_FILE})"
  pg_ctl start -w -D ${cluster} -o "-k /tmp -c listen_addresses=''"
  pg_dump --format=custom --file=/tmp/posthorn.dump ${DATABASE}
  pg_ctl stop -D ${cluster}
  mv ${cluster} ${cluster}-${found}

Start Posthorn once: it makes an empty database and prints its socket folder. While it runs, with pg_restore of version ${major}:

  PGPASSWORD="$(cat ${cluster}/${PASSWORD_FILE})" pg_restore --host=<socket folder> --username=${SUPERUSER} \\
    --clean --if-exists --no-owner --dbname=${DATABASE} /tmp/posthorn.dump`,
  );
}
