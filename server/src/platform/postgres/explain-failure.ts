/** Turns the last words of initdb or postgres into a sentence about what to do. */
import { statfsSync } from 'node:fs';
import { PostgresStartError } from './start-error.ts';
import { systemErrorCode } from './system-error-code.ts';
import { ownEntry } from '../own-entry.ts';

/** Processes of a server that was killed are still there: they notice it a moment later. */
export const isHeldByOrphans = (output: string): boolean => /pre-existing shared memory block/.test(output);

export function explainFailure(what: string, output: string, dir: string): PostgresStartError {
  if (/No space left on device|Disk quota exceeded|ENOSPC|EDQUOT/.test(output)) return diskFull(dir);
  if (/could not look up effective user ID/.test(output)) {
    return new PostgresStartError(
      `${what}: this process runs under a user number that has no name in /etc/passwd, which PostgreSQL needs. Give the user a name, or set DATABASE_URL.`,
    );
  }
  if (isHeldByOrphans(output)) {
    return new PostgresStartError(
      `${what}: processes of an earlier PostgreSQL on ${dir} are still running. End them (they are named "postgres"), then start again.`,
    );
  }
  const lastLines = output.trim().split('\n').slice(-6).join('\n  ');
  return new PostgresStartError(`${what}. It said:\n  ${lastLines || '(nothing)'}`);
}

export function isDiskFull(error: unknown): boolean {
  const code = systemErrorCode(error);
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/** A sentence about the setting for what the system says of the data directory; undefined when it is another fault. */
export function explainDataDir(error: unknown, dir: string): PostgresStartError | undefined {
  const why = ownEntry(WHY_NOT, systemErrorCode(error) ?? '');
  if (why === undefined) return undefined;
  return new PostgresStartError(
    `The data directory ${dir} cannot be used: ${why}. Give this user a directory that it can write to, or set POSTHORN_DATA_DIR to another one.`,
  );
}

const WHY_NOT: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write to it',
  EPERM: 'this user may not write to it',
  EROFS: 'its file system is read-only',
  ENOENT: 'it does not exist and cannot be made there',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'it is a file, or a link that leads nowhere',
};

export function diskFull(dir: string): PostgresStartError {
  return new PostgresStartError(
    `The disk is full: ${freeMegabytes(dir)} MB are free for ${dir}, and PostgreSQL needs room to start ` +
      '(a new database takes about 80 MB). Nothing was lost. Free some space, then start again.',
  );
}

function freeMegabytes(dir: string): number {
  const disk = statfsSync(dir);
  return Math.floor((disk.bavail * disk.bsize) / 2 ** 20);
}
