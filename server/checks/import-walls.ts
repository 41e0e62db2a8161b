import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runTool } from './external-tools.ts';

const FOLDERS = ['src', 'test', 'bench', 'checks', 'scripts'];

interface Cruise {
  summary: { totalCruised: number; violations: { from: string; to: string; rule: { name: string } }[] };
  modules: { source: string }[];
}

/**
 * dependency-cruiser with its answer read rather than its exit code: when it cannot parse a tree it cruises nothing,
 * prints a green tick and exits with 0.
 */
export async function cruise(server: string): Promise<{ ownModules: number; problems: string[] }> {
  const folders = FOLDERS.filter((folder) => existsSync(join(server, folder)));
  const command = ['depcruise', '--config', '.dependency-cruiser.mjs', '--output-type', 'json', ...folders];
  const { output } = await runTool({ name: 'walls', command }, server);
  if (!output.startsWith('{')) return { ownModules: 0, problems: [output] };
  const { summary, modules }: Cruise = JSON.parse(output);
  const ownModules = modules.filter(({ source }) => source.startsWith('src/')).length;
  const problems = summary.violations.map(({ from, to, rule }) => `server/${from} → ${to}: ${rule.name}`);
  if (ownModules === 0) problems.push('no module of src was read: the rules judged nothing');
  return { ownModules, problems: [...new Set(problems)] };
}
