import { basename, dirname, join } from 'node:path';
import type { Check, Tree } from './check.ts';
import { filesBelow, isTestFile, readText } from './source-tree.ts';

const LINES_MAX = 400;
const TEST_LINES_MAX = 600;
const FOLDER_FILES_MAX = 20;
const UNSAYING = /^(utils?|helpers?|common|misc|shared|lib|types)$/;
const UNSAYING_PART = /(^|[-.])(utils?|helpers?|misc)([-.]|$)/;
const KEBAB_CASE = /^\.?[a-z0-9]+([-.][a-z0-9]+)*$/;
const PASCAL_CASE = /^([A-Z][a-z0-9]*)+$/;
const SUFFIXES = /(\.(test|http|e2e|prove|bench|job|conformance|generated|module))*\.(tsx?|css)$/;

interface Package {
  name: keyof Pick<Tree, 'server'> | 'dashboard';
  folders: readonly string[];
  sources: RegExp;
  /** Folders of src that may have more files, because they are lists of small things of one kind. */
  manyFiles: Readonly<Record<string, number>>;
}

const PACKAGES: readonly Package[] = [
  { name: 'server', folders: ['src', 'test', 'bench', 'checks', 'scripts'], sources: /\.ts$/, manyFiles: {} },
  {
    name: 'dashboard',
    folders: ['src', 'test', 'scripts'],
    sources: /\.(tsx?|css)$/,
    // Small files of one kind each: pure code for all pages, the parts of pages, and a document of mail.
    manyFiles: { lib: 30, ui: 30, 'lib/blocks': 25 },
  },
];

/** Tables of contents and generated files may be as long as what they list. */
const isExempt = (file: string): boolean => /^routes\.tsx?$/.test(basename(file)) || file.endsWith('.generated.ts');

/** A long file holds two nouns, a folder of too many files has no rooms, and a file called `helpers` says nothing. */
export const fileRules: Check = {
  name: 'files',
  run: ({ root }) => PACKAGES.flatMap((one) => [...problemsOfFiles(root, one), ...folderProblems(root, one)]),
};

const problemsOfFiles = (root: string, { name, folders, sources }: Package): string[] =>
  folders.flatMap((folder) =>
    filesBelow(join(root, name, folder))
      .filter((path) => sources.test(path))
      .flatMap((path) => {
        const file = `${name}/${folder}/${path}`;
        return [...nameProblems(file), ...sizeProblems(root, file), ...partProblems(root, file)];
      }),
  );

function nameProblems(file: string): string[] {
  const [, , ...parts] = file.split('/').map((part) => part.replace(SUFFIXES, ''));
  const isPart = /\.(tsx|css)$/.test(file);
  return parts.flatMap((part, at) => {
    // The dashboard's folder of pure code, below its parts.
    if (file.startsWith('dashboard/src/lib/') && at === 0) return [];
    if (UNSAYING.test(part) || UNSAYING_PART.test(part)) return [`${file}: "${part}" says nothing; name the thing`];
    if (KEBAB_CASE.test(part) || (isPart && at === parts.length - 1 && PASCAL_CASE.test(part))) return [];
    return [`${file}: "${part}" is not kebab-case`];
  });
}

/** A part of a page is found by the name of its file. A name in the plural, such as `KeyActions`, is of several. */
function partProblems(root: string, file: string): string[] {
  const part = basename(file, '.tsx');
  if (!file.endsWith('.tsx') || !PASCAL_CASE.test(part) || part.endsWith('s')) return [];
  const isExported = new RegExp(`^export (default )?(async )?(function|const|class) ${part}\\b`, 'm').test(
    readText(root, file),
  );
  return isExported ? [] : [`${file} exports no ${part}; name it after its part`];
}

function sizeProblems(root: string, file: string): string[] {
  const isTest = isTestFile(file) || /^[a-z]+\/test\//.test(file);
  const max = isTest ? TEST_LINES_MAX : LINES_MAX;
  const lines = readText(root, file).trimEnd().split('\n').length;
  return lines > max && !isExempt(file) ? [`${file} has ${lines} lines; the limit is ${max}`] : [];
}

/** The files of src, without their tests and styles. */
const sourcesOf = (root: string, name: Package['name']): string[] =>
  filesBelow(join(root, name, 'src')).filter((file) => /\.tsx?$/.test(file) && !isTestFile(file));

function folderProblems(root: string, { name, manyFiles }: Package): string[] {
  const counts = new Map<string, number>();
  for (const file of sourcesOf(root, name)) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  return [...counts].flatMap(([folder, count]) => {
    const max = manyFiles[folder] ?? FOLDER_FILES_MAX;
    return count > max
      ? [`${name}/src/${folder} has ${count} files beside their tests; the limit is ${max}: give it rooms`]
      : [];
  });
}

/** How long the files of src are; printed, not argued: a median of 70 and 250 at the 95th percentile is the aim. */
export function sizeSummary(server: string): string {
  const sizes = sourcesOf(dirname(server), 'server')
    .map((file) => readText(server, 'src', file).trimEnd().split('\n').length)
    .toSorted((a, b) => a - b);
  const at = (share: number): number => sizes[Math.floor(sizes.length * share)] ?? 0;
  return `${sizes.length} files in src: median ${at(0.5)} lines, 95th percentile ${at(0.95)}`;
}
