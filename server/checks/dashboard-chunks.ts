import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A chunk in the manifest of Vite. Its keys are the source files of entries, else names of its own. */
interface ManifestChunk {
  file: string;
  isEntry?: boolean;
  imports?: string[];
  dynamicImports?: string[];
  css?: string[];
}
/** The entry asks for data and imports this at once: every page needs both. */
const START = 'src/start.tsx';
type Manifest = Record<string, ManifestChunk>;

/** A part of the built dashboard that is loaded as a whole. */
export interface LoadedPart {
  /** `index.html`, or the source file that an `import()` names. */
  name: string;
  /** Its scripts with those that they import, and their styles. */
  files: ReadonlySet<string>;
}

export interface BuiltParts {
  entry: LoadedPart;
  /** Everything behind an `import()`, wherever that is. */
  lazy: readonly LoadedPart[];
}

/** The part that the browser loads at once, and the later ones. Throws when the build has no manifest or no entry. */
export function partsOfBuild(folder: string): BuiltParts {
  // Vite writes it; a name that it does not have is undefined below.
  const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Manifest;
  const [entry] = Object.keys(manifest).filter((name) => manifest[name]?.isEntry === true);
  if (entry === undefined) throw new Error('the manifest of the build has no entry');
  const lazy = new Set(Object.values(manifest).flatMap(({ dynamicImports = [] }) => dynamicImports));
  const started = manifest[entry]?.dynamicImports?.filter((name) => name === START) ?? [];
  return { entry: partOf(manifest, entry, ...started), lazy: [...lazy].sort().map((name) => partOf(manifest, name)) };
}

function partOf(manifest: Manifest, name: string, ...together: string[]): LoadedPart {
  const files = new Set<string>();
  const chunks = new Set([name, ...together]);
  for (const chunk of chunks) {
    const { file, css = [], imports = [] } = manifest[chunk] ?? { file: `${chunk}, which the manifest does not have` };
    for (const loaded of [file, ...css]) files.add(loaded);
    for (const imported of imports) chunks.add(imported);
  }
  return { name, files };
}
