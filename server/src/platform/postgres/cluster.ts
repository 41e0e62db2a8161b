/**
 * The data directory of the embedded server. It appears by one rename, complete and on the disk, so a crash or a power
 * cut in the middle of initdb leaves nothing that looks like a database. The superuser's password is kept inside it,
 * readable by its owner only.
 */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder, moveFile, writeNewFile } from '../lasting-files.ts';
import { diskFull, explainFailure, isDiskFull } from './explain-failure.ts';
import { asUser, type ServerUser } from './server-user.ts';
import { PostgresStartError } from './start-error.ts';
import { systemErrorCode } from './system-error-code.ts';

export const SUPERUSER = 'posthorn';
export const DATABASE = 'posthorn';
const PASSWORD_FILE = 'posthorn-password';
const PASSWORD_BYTES = 24;
const PASSWORD_CHARACTERS = 2 * PASSWORD_BYTES;

export function clusterExists(cluster: string): boolean {
  return existsSync(join(cluster, 'PG_VERSION'));
}

/** Throws with the commands that set a new one when the file does not hold a whole password. */
export function readPassword(cluster: string, native: string): string {
  const file = join(cluster, PASSWORD_FILE);
  let password: string;
  try {
    password = readFileSync(file, 'utf8').trim();
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'ENOENT') throw withoutPassword(cluster, native, 'is missing');
    throw new PostgresStartError(
      `The password of the embedded database, ${file}, cannot be read by this user (${code ?? String(error)}). ` +
        'Start Posthorn as the user that started it first, or as root.',
    );
  }
  const { length } = password;
  if (length !== PASSWORD_CHARACTERS)
    throw withoutPassword(cluster, native, `has ${length} of ${PASSWORD_CHARACTERS} characters`);
  if (!/^[0-9a-f]*$/.test(password)) throw withoutPassword(cluster, native, 'is damaged');
  return password;
}

/** The data is whole without it: the server can be given another password by the owner of its files. */
function withoutPassword(cluster: string, native: string, fault: string): PostgresStartError {
  const file = join(cluster, PASSWORD_FILE);
  return new PostgresStartError(
    `The password of the embedded database, ${file}, ${fault}. Most often a power cut or a full disk is the cause.
Nothing was changed, and your data is not affected. Restore this file from a backup, or set a new password, as the owner of ${cluster} and without a running Posthorn:

  head -c ${PASSWORD_BYTES} /dev/urandom | od -An -v -tx1 | tr -d ' \\n' > ${file}
  chmod 600 ${file}
  echo "alter role ${SUPERUSER} password '$(cat ${file})'" | ${join(native, 'bin', 'postgres')} --single -D ${cluster} ${DATABASE}`,
  );
}

/** Environment of initdb and postgres: nothing of ours. Our variables hold secrets, and PG* would change what runs. */
export const SERVER_ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', TZ: 'UTC', LC_ALL: 'C' };

export function createCluster(cluster: string, native: string, user: ServerUser | undefined): void {
  const draft = `${cluster}.new`;
  const passwordFile = `${draft}.password`;
  rmSync(draft, { recursive: true, force: true });
  try {
    rmSync(passwordFile, { force: true });
    makeFolder(draft);
    // Hexadecimal, so that it needs no escaping in a connection URL.
    writeNewFile(passwordFile, `${randomBytes(PASSWORD_BYTES).toString('hex')}\n`, user);
    if (user) chownSync(draft, user.uid, user.gid);
    initialise(draft, native, passwordFile, user);
    moveFile(passwordFile, join(draft, PASSWORD_FILE));
    moveFile(draft, cluster);
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
  // Without --no-sync: initdb returns when all it has written is on the disk. It gives the folder mode 0700.
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
