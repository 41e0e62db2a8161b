import { readdirSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

// USER_HZ: what /proc counts in, on every Linux that Node runs on.
const TICK_MS = 10;

/** The fields of /proc/PID/stat after the program's name, which may hold spaces; undefined when it has ended. */
function statOf(pid: number): number[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text
      .slice(text.lastIndexOf(')') + 4)
      .split(' ')
      .map(Number);
  } catch {
    return undefined;
  }
}

/** Processor time of a process so far, user and system, in milliseconds. */
export function processorMs(pid: number): number {
  const stat = statOf(pid);
  return ((stat?.[10] ?? 0) + (stat?.[11] ?? 0)) * TICK_MS;
}

/** Memory of a process that is in RAM, in megabytes. */
export function residentMegabytes(pid: number): number {
  const line = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1]) / 1024;
}

/** Processor time of a whole PostgreSQL server so far: the postmaster, its children, and those that have ended. */
export async function postgresMeter(db: Db): Promise<() => number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  const postmaster = statOf(rows[0]?.pid ?? 0)?.[0] ?? 0;
  return () => {
    const own = statOf(postmaster) ?? [];
    let ticks = (own[10] ?? 0) + (own[11] ?? 0) + (own[12] ?? 0) + (own[13] ?? 0);
    for (const name of readdirSync('/proc')) {
      if (!/^\d+$/.test(name)) continue;
      const stat = statOf(Number(name));
      if (stat?.[0] === postmaster) ticks += (stat[10] ?? 0) + (stat[11] ?? 0);
    }
    return ticks * TICK_MS;
  };
}
