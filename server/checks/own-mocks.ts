import { join } from 'node:path';
import type { Check } from './check.ts';
import { filesBelow, isTestFile, readText } from './source-tree.ts';

/** The tracker that all files of a process share, and not that of one test (`t.mock`). */
const ALL = /(?<![\w.])mock\.(restoreAll|reset)\(/;

/**
 * Files of tests share a process. `mock.restoreAll()` of one takes away the mocks that others made when they were read,
 * so that those fail, or not, by the files beside them.
 */
export const ownMocks: Check = {
  name: 'own-mocks',
  run: ({ root }) =>
    ['server', 'dashboard'].flatMap((name) =>
      ['src', 'test', 'checks'].flatMap((folder) =>
        filesBelow(join(root, name, folder))
          .map((path) => `${name}/${folder}/${path}`)
          .filter((file) => isTestFile(file) && ALL.test(readText(root, file)))
          .map((file) => `${file} restores the mocks of all files; restore its own, or make them with t.mock`),
      ),
    ),
};
