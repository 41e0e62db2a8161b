/**
 * Who the server runs as. PostgreSQL refuses to run as root, so root starts it as another user by number; everybody
 * else starts it as themselves.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';

export interface ServerUser {
  uid: number;
  gid: number;
  name: string;
}

/** Undefined: this process is not root and runs the server as itself. */
export function chooseServerUser(existingCluster: string | undefined): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readUsers();
  // A cluster keeps its owner: `sudo npm start` after `npm start` must not leave files that the user cannot open.
  const owner = existingCluster === undefined ? undefined : statSync(existingCluster);
  if (owner && owner.uid !== 0) {
    const name = users.find((user) => user.uid === owner.uid)?.name ?? String(owner.uid);
    return { uid: owner.uid, gid: owner.gid, name };
  }
  const named = (name: string) => users.find((user) => user.name === name && user.uid !== 0);
  return named('postgres') ?? named('nobody') ?? { uid: 65534, gid: 65534, name: '65534' };
}

/** Whether `user` can open this path, asked of the system itself: mode bits do not tell about ACLs and mounts. */
export function canUse(path: string, access: 'execute' | 'write', user: ServerUser | undefined): boolean {
  const test = access === 'write' ? 'test -w "$1" && test -x "$1"' : 'test -x "$1"';
  const run = spawnSync('/bin/sh', ['-c', test, 'sh', path], { cwd: '/', stdio: 'ignore', ...asUser(user) });
  return run.status === 0;
}

/** Options for child_process. Node drops the supplementary groups when it changes the user. */
export function asUser(user: ServerUser | undefined): { uid?: number; gid?: number } {
  return user ? { uid: user.uid, gid: user.gid } : {};
}

function readUsers(): ServerUser[] {
  let passwd: string;
  try {
    passwd = readFileSync('/etc/passwd', 'utf8');
  } catch {
    return [];
  }
  return passwd.split('\n').flatMap((line) => {
    const [name = '', , uid = '', gid = ''] = line.split(':');
    return uid === '' ? [] : [{ name, uid: Number(uid), gid: Number(gid) }];
  });
}
