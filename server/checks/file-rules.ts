import { basename, dirname, join } from 'node:path';
import type { Check } from './check.ts';
import { filesBelow, isTestFile, readText } from './source-tree.ts';

const LINES_MAX = 400;
const TEST_LINES_MAX = 600;
const FOLDER_FILES_MAX = 20;
const UNSAYING = /^(utils?|helpers?|common|misc|shared|lib|types)$/;
const UNSAYING_PART = /(^|[-.])(utils?|helpers?|misc)([-.]|$)/;
const KEBAB_CASE = /^\.?[a-z0-9]+([-.][a-z0-9]+)*$/;

/** Tables of contents and generated files may be as long as what they list. */
const isExempt = (file: string): boolean => basename(file) === 'routes.ts' || file.endsWith('.generated.ts');

/** A long file holds two nouns, a folder of too many files has no rooms, and a file called `helpers` says nothing. */
export const fileRules: Check = {
  name: 'files',
  run({ server }) {
    const problems = ['src', 'test', 'bench', 'checks', 'scripts'].flatMap((folder) =>
      filesBelow(join(server, folder)).flatMap((path) => {
        const file = `${folder}/${path}`;
        return file.endsWith('.ts') ? [...nameProblems(file), ...sizeProblems(server, file)] : [];
      }),
    );
    return [...problems, ...folderProblems(server)];
  },
};

function nameProblems(file: string): string[] {
  const parts = file
    .split('/')
    .map((part) => part.replace(/(\.(test|http|e2e|prove|bench|job|conformance|generated))*\.ts$/, ''));
  return parts.flatMap((part) => {
    if (UNSAYING.test(part) || UNSAYING_PART.test(part))
      return [`server/${file}: "${part}" says nothing; name the thing`];
    return KEBAB_CASE.test(part) ? [] : [`server/${file}: "${part}" is not kebab-case`];
  });
}

function sizeProblems(server: string, file: string): string[] {
  const isTest = isTestFile(file) || file.startsWith('test/');
  const max = isTest ? TEST_LINES_MAX : LINES_MAX;
  const lines = readText(server, file).trimEnd().split('\n').length;
  return lines > max && !isExempt(file) ? [`server/${file} has ${lines} lines; the limit is ${max}`] : [];
}

/** The files of src, without their tests. */
const sourcesOf = (server: string): string[] =>
  filesBelow(join(server, 'src')).filter((file) => file.endsWith('.ts') && !isTestFile(file));

function folderProblems(server: string): string[] {
  const counts = new Map<string, number>();
  for (const file of sourcesOf(server)) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  return [...counts].flatMap(([folder, count]) =>
    count > FOLDER_FILES_MAX
      ? [`server/src/${folder} has ${count} files beside their tests; the limit is ${FOLDER_FILES_MAX}: give it rooms`]
      : [],
  );
}

/** How long the files of src are; printed, not argued: a median of 70 and 250 at the 95th percentile is the aim. */
export function sizeSummary(server: string): string {
  const sizes = sourcesOf(server)
    .map((file) => readText(server, 'src', file).trimEnd().split('\n').length)
    .toSorted((a, b) => a - b);
  const at = (share: number): number => sizes[Math.floor(sizes.length * share)] ?? 0;
  return `${sizes.length} files in src: median ${at(0.5)} lines, 95th percentile ${at(0.95)}`;
}
