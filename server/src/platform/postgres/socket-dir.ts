/**
 * The folder of the server's Unix socket: short, because the path of a socket is limited to 107 bytes (unix(7)), and
 * private, because whoever may write there could stand in for the server.
 */
import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, chownSync, lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerUser } from './server-user.ts';
import { systemErrorCode } from './system-error-code.ts';

export const PORT = 5432; // Only part of the socket's name: the server does not listen on TCP.
const SOCKET_PATH_BYTES_MAX = 103; // macOS allows 103, Linux 107.
const LOCK_NAME = `.s.PGSQL.${PORT}.lock`;

export function makeSocketDir(cluster: string, user: ServerUser | undefined): string {
  const name = `posthorn-${createHash('sha256').update(cluster).digest('hex').slice(0, 12)}`;
  const usual = join(tmpdir(), name);
  const base = Buffer.byteLength(join(usual, LOCK_NAME)) <= SOCKET_PATH_BYTES_MAX ? usual : join('/tmp', name);
  const uid = user?.uid ?? process.getuid?.();
  try {
    mkdirSync(base, { mode: 0o700 });
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error;
    const found = lstatSync(base);
    // Made by somebody else: the temporary folder is everybody's, so take a name that nobody could foresee.
    if (!found.isDirectory() || found.uid !== uid) {
      const own = `${base}-${randomBytes(3).toString('hex')}`;
      mkdirSync(own, { mode: 0o700 });
      return give(own, user);
    }
  }
  return give(base, user);
}

function give(dir: string, user: ServerUser | undefined): string {
  chmodSync(dir, 0o700);
  if (user) chownSync(dir, user.uid, user.gid);
  return dir;
}
