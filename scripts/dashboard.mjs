// Builds the dashboard into .cache/dashboard/<hash of its sources>, when that build is not there. Node 20, no
// dependencies of its own.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { alone, DASHBOARD, giveUp, hasDashboard, installUnlessThere, OF_DASHBOARD, ROOT } from './install.mjs';
import { ownNode } from './own-node.mjs';

const BUILDS = join(ROOT, '.cache', 'dashboard');
/** This one and the one before: a process that still runs an older checkout goes on serving its files. */
const KEPT = 2;
const NO_SOURCE = new Set(['node_modules', 'dist', 'shots', 'scripts', 'test', 'mock-api', 'README.md']);
const COMPRESSED = new Set(['.css', '.html', '.js', '.json', '.svg', '.txt', '.webmanifest']);
/** Less is one packet either way. */
const COMPRESSED_FROM_BYTES = 1_024;

/** The folder of the build; undefined where there is no dashboard to build. */
export async function buildDashboardIfNeeded() {
  if (!hasDashboard()) return undefined;
  const folder = folderOfBuild();
  if (!isBuilt(folder)) await alone(() => (isBuilt(folder) ? undefined : build(folder)));
  return folder;
}

/** True where a start has to build first, for which the packages of the dashboard are needed. */
export const isToBeBuilt = () => hasDashboard() && !isBuilt(folderOfBuild());

export const VITE = join(DASHBOARD, 'node_modules', 'vite', 'bin', 'vite.js');

// A build gets its name when it is whole.
const isBuilt = (folder) => existsSync(join(folder, 'index.html'));

let buildOfSources;
const folderOfBuild = () => (buildOfSources ??= join(BUILDS, hashOfSources()));

// The content, and not the time of the last change: a fresh clone of the same commit is the same dashboard. About 300
// small files take 15 ms.
function hashOfSources() {
  const hash = createHash('sha256').update(readFileSync(new URL(import.meta.url)));
  for (const file of filesBelow(DASHBOARD).sort()) {
    hash.update(`\0${relative(DASHBOARD, file)}\0`).update(readFileSync(file));
  }
  return hash.digest('hex').slice(0, 16);
}

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !NO_SOURCE.has(name) && !name.startsWith('.') && !/\.test\.tsx?$/.test(name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(path) : [path];
    });
}

async function build(folder) {
  await installUnlessThere(OF_DASHBOARD);
  console.log('Building the dashboard …');
  const begun = Date.now();
  const unfinished = `${folder}.${process.pid}.unfinished`;
  mkdirSync(BUILDS, { recursive: true });
  removeUnfinished();
  const { code, output } = await runVite(['build', '--outDir', unfinished, '--emptyOutDir', '--logLevel', 'warn']);
  if (code !== 0 || !isBuilt(unfinished)) {
    rmSync(unfinished, { recursive: true, force: true });
    giveUp(
      `the dashboard could not be built (vite build: exit ${code}); what it says is here:\n\n${output.trim()}\n\n` +
        'POSTHORN_DASHBOARD_FILES=none starts Posthorn without it.',
    );
  }
  await compress(unfinished);
  renameSync(unfinished, folder);
  removeOldBuilds();
  console.log(`Built in ${Math.round((Date.now() - begun) / 1000)} s.`);
}

function runVite(args) {
  return new Promise((resolve) => {
    const child = spawn(ownNode(), [VITE, ...args], { cwd: DASHBOARD, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => child.kill(name));
    child.once('error', (error) => resolve({ code: error.message, output }));
    child.once('close', (code, signal) => resolve({ code: code ?? signal, output }));
  });
}

// Once, at the best that the formats have: each request then costs a read.
async function compress(folder) {
  const files = filesBelow(folder).filter(
    (file) =>
      COMPRESSED.has(extname(file)) && !file.endsWith('index.html') && statSync(file).size >= COMPRESSED_FROM_BYTES,
  );
  await Promise.all(
    files.map(async (file) => {
      const bytes = readFileSync(file);
      writeFileSync(`${file}.br`, await promisify(brotliCompress)(bytes));
      writeFileSync(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }));
    }),
  );
}

/** Left by a start that was killed; nobody else builds now. */
function removeUnfinished() {
  for (const name of readdirSync(BUILDS)) {
    if (name.endsWith('.unfinished')) rmSync(join(BUILDS, name), { recursive: true, force: true });
  }
}

function removeOldBuilds() {
  const builds = readdirSync(BUILDS)
    .map((name) => ({ path: join(BUILDS, name), at: statSync(join(BUILDS, name)).mtimeMs }))
    .sort((a, b) => b.at - a.at);
  for (const { path } of builds.slice(KEPT)) rmSync(path, { recursive: true, force: true });
}
