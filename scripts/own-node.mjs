// The Node that this project runs on: its own, from a package, so that the one on the machine may be older.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { giveUp, SERVER } from './install.mjs';

// server/package.json says the same under "engines".
const OLDEST = [24, 21];
const TOO_NEW = 27;

/** The path of a fitting node, or the end of this process with a sentence about what to do. */
export function ownNode() {
  const platform = `${process.platform}-${process.arch}`;
  const own = join(SERVER, 'node_modules', `node-${platform}`, 'bin', 'node');
  if (existsSync(own)) {
    const run = spawnSync(own, ['--version'], { encoding: 'utf8' });
    if (run.status === 0) return own;
    // Typical on Alpine: the program is there, its loader (glibc) is not.
    console.error(`posthorn: the project's own Node does not run here (${run.error?.message ?? run.stderr.trim()}).`);
  }
  const [major, minor] = process.versions.node.split('.').map(Number);
  const fits = (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) && major < TOO_NEW;
  if (fits) return process.execPath;
  return giveUp(
    `there is no Node 24 package for ${platform}, and this is Node ${process.versions.node}. ` +
      `Install Node ${OLDEST.join('.')} or later (below ${TOO_NEW}) and run the command again.`,
  );
}
