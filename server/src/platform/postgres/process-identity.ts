/**
 * Tells processes apart although the system uses their numbers again: a pid found in a file means something only
 * together with the start time of the process it was written for.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { basename } from 'node:path';
import { systemErrorCode } from './system-error-code.ts';

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it exists and belongs to somebody else.
    return systemErrorCode(error) === 'EPERM';
  }
}

/** Names one life of a pid, or undefined when no such process runs. Survives neither a reboot nor a reused pid. */
export function lifeOf(pid: number): string | undefined {
  if (!isAlive(pid)) return undefined;
  if (process.platform === 'linux') {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The command name, in parentheses, may hold spaces; start time is field 22, the 20th after it (proc(5)).
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (fields[0] === 'Z') return undefined; // Ended; only its parent has not asked how.
      const startTicks = fields[19];
      return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${startTicks}`;
    } catch {
      return undefined;
    }
  }
  return ps(pid, 'lstart');
}

/** Whether this pid is a postmaster that serves `clusterDir`, and not some later process with the same number. */
export function servesCluster(pid: number, clusterDir: string): boolean {
  if (!isAlive(pid)) return false;
  if (process.platform !== 'linux') return ps(pid, 'command')?.includes(`-D ${clusterDir}`) ?? false;
  try {
    const [program = ''] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    // A postmaster works in its data directory; unlike its arguments, that stays true when the directory is moved.
    return basename(program) === 'postgres' && readlinkSync(`/proc/${pid}/cwd`) === realpathSync(clusterDir);
  } catch {
    return false;
  }
}

function ps(pid: number, column: string): string | undefined {
  try {
    return execFileSync('ps', ['-ww', '-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
}
