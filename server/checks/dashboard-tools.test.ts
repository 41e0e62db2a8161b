import assert from 'node:assert/strict';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { temporaryFolder } from '../test/harness/data-dir.ts';
import { EXTERNAL_TOOLS, runTool } from './external-tools.ts';

const SERVER = dirname(import.meta.dirname);
const DASHBOARD = join(dirname(SERVER), 'dashboard');

/** A dashboard of these files with the rules of ours, beside the server's packages and its lint plugin. */
function plant(t: TestContext, files: Readonly<Record<string, string>>): string {
  const root = temporaryFolder(t);
  const dashboard = join(root, 'dashboard');
  mkdirSync(join(root, 'server/checks'), { recursive: true });
  symlinkSync(join(SERVER, 'node_modules'), join(root, 'server/node_modules'));
  cpSync(join(SERVER, 'package.json'), join(root, 'server/package.json'));
  cpSync(join(SERVER, 'checks/lint-plugin.ts'), join(root, 'server/checks/lint-plugin.ts'));
  for (const file of ['package.json', 'tsconfig.json', '.oxlintrc.json', 'knip.json']) {
    mkdirSync(dashboard, { recursive: true });
    cpSync(join(DASHBOARD, file), join(dashboard, file));
  }
  symlinkSync(join(DASHBOARD, 'node_modules'), join(dashboard, 'node_modules'));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dashboard, file)), { recursive: true });
    writeFileSync(join(dashboard, file), text);
  }
  return dashboard;
}

async function judge(name: string, folder: string, without: readonly string[] = []): Promise<string> {
  const tool = EXTERNAL_TOOLS.find((one) => one.name === name);
  assert.ok(tool, `no tool is called ${name}`);
  const command = tool.command.filter((argument) => !without.includes(argument));
  const { ok, output } = await runTool({ ...tool, command }, folder, join(SERVER, 'node_modules/.bin'));
  assert.equal(ok, false, output);
  return output;
}

test('lint of the dashboard reports a cycle, a page that excludes people, an effect that answers, and a sleep', async (t) => {
  const folder = plant(t, {
    'src/lib/a.ts': "import { b } from './b.ts';\nexport const a = () => b;\n",
    'src/lib/b.ts': "import { a } from './a.ts';\nexport const b = () => a;\n",
    'src/ui/Picture.tsx': 'export const Picture = () => <img src="/x.png" />;\n',
    'src/ui/Row.tsx': 'export const Row = ({ open }: { open: () => void }) => <div onClick={open}>Open</div>;\n',
    'src/ui/Scroll.tsx':
      "import { useEffect } from 'react';\nexport const useScroll = (node: Element) => useEffect(() => node.scrollIntoView(), [node]);\n",
    'test/e2e/slow.prove.ts': 'await new Promise((resolve) => setTimeout(resolve, 100));\n',
  });
  // Types are not needed to see these.
  const output = await judge('dashboard-lint', folder, ['--type-aware']);
  for (const [file, rule] of [
    ['src/lib/a.ts', 'import(no-cycle)'],
    ['src/ui/Picture.tsx', 'jsx-a11y(alt-text)'],
    ['src/ui/Row.tsx', 'jsx-a11y(click-events-have-key-events)'],
    ['src/ui/Scroll.tsx', 'house(effects-in-braces)'],
    ['test/e2e/slow.prove.ts', 'house(no-sleep)'],
  ] as const) {
    const found = output.split('\n').some((line) => line.startsWith(file) && line.includes(rule));
    assert.ok(found, `${rule} in ${file}:\n${output}`);
  }
});

test('an unused file, export or dependency of the dashboard is reported', async (t) => {
  const folder = plant(t, {
    'src/main.ts': "import { used } from './lib/used.ts';\nconsole.log(used);\n",
    'src/lib/used.ts': 'export const used = 1;\nexport const unused = 2;\n',
    'src/lib/forgotten.ts': 'export const forgotten = 1;\n',
  });
  const output = await judge('dashboard-unused', folder);
  assert.match(output, /Unused files[^]*src\/lib\/forgotten\.ts/);
  assert.match(output, /Unused dependencies[^]*@tanstack\/react-query/);
  assert.match(output, /Unused exports[^]*unused .*src\/lib\/used\.ts/);
});
