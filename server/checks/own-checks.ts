import { auditDocs } from './audit-docs.ts';
import { blockingMigrations } from './blocking-migrations.ts';
import type { Check } from './check.ts';
import { citedPaths } from './cited-paths.ts';
import { dashboardBundle } from './dashboard-bundle.ts';
import { dashboardClient } from './dashboard-client.ts';
import { dashboardLayers } from './dashboard-layers.ts';
import { decisionNumbers } from './decision-numbers.ts';
import { errorDocs } from './error-docs.ts';
import { featureFaces } from './feature-faces.ts';
import { featureReadmes } from './feature-readmes.ts';
import { fileRules } from './file-rules.ts';
import { functionLength } from './function-length.ts';
import { foreignStatements } from './foreign-statements.ts';
import { generatedDocs } from './generated-docs.ts';
import { guarantees } from './guarantees.ts';
import { cruise } from './import-walls.ts';
import { lastingFiles } from './lasting-files.ts';
import { layers } from './layers.ts';
import { locales } from './locales.ts';
import { migrationNames } from './migration-names.ts';
import { openapiFresh } from './openapi-fresh.ts';
import { ownEntries } from './own-entries.ts';
import { ownMocks } from './own-mocks.ts';
import { plainWords } from './plain-words.ts';
import { settingsDocs } from './settings-docs.ts';
import { statementRule } from './statement-rule.ts';
import { twoWayFolders } from './two-way-folders.ts';

const importWalls: Check = { name: 'walls', run: async ({ server }) => (await cruise(server)).problems };

const statements: Check = {
  name: 'statements',
  run: async (tree) => [...(await statementRule.run(tree)), ...(await foreignStatements.run(tree))],
};

export const OWN_CHECKS: readonly Check[] = [
  importWalls,
  layers,
  twoWayFolders,
  statements,
  fileRules,
  functionLength,
  lastingFiles,
  ownEntries,
  ownMocks,
  migrationNames,
  blockingMigrations,
  featureFaces,
  featureReadmes,
  locales,
  plainWords,
  citedPaths,
  decisionNumbers,
  errorDocs,
  settingsDocs,
  generatedDocs,
  guarantees,
  auditDocs,
  openapiFresh,
  dashboardLayers,
  dashboardClient,
  dashboardBundle,
];
