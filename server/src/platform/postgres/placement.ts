/**
 * Where the programs and the cluster live. Normally node_modules and the data directory. Root's server runs as another
 * user, and a clone under /root (mode 0700) cannot be reached by any other user; then both go to /var/lib/posthorn.
 */
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { linkFolder, makeFolder, moveFile, syncTree } from '../lasting-files.ts';
import { type Binaries, linkLibraries } from './binaries.ts';
import { canUse, type ServerUser } from './server-user.ts';
import { PostgresStartError } from './start-error.ts';

interface Say {
  info(message: string): void;
}

export interface PlacementRoots {
  /** Root's place for what other users must reach. A parameter for the tests. */
  shared: string;
}

const SYSTEM_ROOTS: PlacementRoots = { shared: '/var/lib/posthorn' };

/** The cluster directory, existing or to be made; its parent exists and the server's user can pass through it. */
export function placeCluster(dataDir: string, user: ServerUser | undefined, log: Say, roots = SYSTEM_ROOTS): string {
  const usual = join(dataDir, 'postgres');
  const link = lstatSync(usual, { throwIfNoEntry: false });
  if (link?.isSymbolicLink()) {
    const target = readlinkSync(usual);
    log.info(`The database is in ${target}.`);
    makeOpenFolder(dirname(target));
    return target;
  }
  if (!user || passThrough(dataDir, user)) return usual;
  if (link) {
    throw new PostgresStartError(
      `The database ${usual} cannot be opened by ${user.name}, the user PostgreSQL runs as: a folder above it is closed ` +
        `to other users. Open it (chmod o+x), or move the project to a place that ${user.name} can reach.`,
    );
  }
  // The random part keeps a deleted data directory deleted: a new one at the same path starts with a new database.
  const name = createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 12);
  const older = existsSync(roots.shared)
    ? readdirSync(roots.shared).filter((entry) => entry.startsWith(`${name}-`))
    : [];
  const home = join(roots.shared, `${name}-${randomBytes(3).toString('hex')}`);
  makeOpenFolder(roots.shared);
  makeOpenFolder(home);
  linkFolder(join(home, 'postgres'), usual);
  log.info(`PostgreSQL runs as ${user.name}, who cannot open ${dataDir}, so the database is in ${home}.`);
  for (const entry of older)
    log.info(`${join(roots.shared, entry)} is left from an earlier ${dataDir}; delete it when you do not need it.`);
  return join(home, 'postgres');
}

// A data directory of mode 0700 under open folders gets o+x: passing through, not listing. Our own files in it are
// 0600.
function passThrough(dataDir: string, user: ServerUser): boolean {
  if (canUse(dataDir, 'execute', user)) return true;
  const { mode, uid } = statSync(dataDir);
  if (uid !== 0 || !canUse(dirname(dataDir), 'execute', user)) return false;
  chmodSync(dataDir, (mode & 0o7777) | 0o001);
  return canUse(dataDir, 'execute', user);
}

/** The folder with bin/ and lib/, complete and executable by the server's user. Copied once per version if need be. */
export function placeBinaries(
  binaries: Binaries,
  dataDir: string,
  user: ServerUser | undefined,
  log: Say,
  roots = SYSTEM_ROOTS,
): string {
  const linked = linkLibraries(binaries.dir);
  if (linked && canUse(join(binaries.dir, 'bin', 'postgres'), 'execute', user)) return binaries.dir;
  const copy = join(user ? roots.shared : dataDir, `postgresql-${binaries.version}-${process.arch}`);
  const native = join(copy, 'native');
  if (existsSync(copy)) return native;
  log.info(`Copying the PostgreSQL programs to ${copy}, where ${user?.name ?? 'this user'} can run them.`);
  const draft = `${copy}.${process.pid}`;
  rmSync(draft, { recursive: true, force: true });
  makeOpenFolder(dirname(copy));
  makeFolder(draft);
  cpSync(binaries.dir, join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
  openToEveryone(draft);
  linkLibraries(join(draft, 'native'));
  syncTree(draft); // a copy with the right name is never looked into again
  try {
    moveFile(draft, copy);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(copy)) throw error; // Otherwise another start was faster, and its copy is as good.
  }
  return native;
}

// The umask of root may be 077; what another user has to reach is opened by hand.
function makeOpenFolder(path: string): void {
  makeFolder(path);
  chmodSync(path, 0o755);
}

function openToEveryone(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) openToEveryone(path);
    else if (entry.isFile()) chmodSync(path, 0o755);
  }
}
