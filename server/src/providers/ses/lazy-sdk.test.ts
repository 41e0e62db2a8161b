import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';

test('the SDK is loaded by those who send through Amazon SES, and by nobody else', () => {
  const loadedBy = (program: string): number => {
    const count = `
      const { default: { _cache } } = await import('node:module');
      console.log(Object.keys(_cache).filter((name) => name.includes('@aws-sdk')).length);`;
    const script = `${program}\n${count}`;
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: path.join(import.meta.dirname, '../../..'),
      encoding: 'utf8',
    });
    return Number(output.trim());
  };
  const wiring = `const { wireProviders } = await import('./src/main/providers.ts');`;
  assert.equal(loadedBy(wiring), 0);
  const client = `const { loadSesClient } = await import('./src/providers/ses/ses-client.ts');
    await loadSesClient({ region: 'us-east-1', configurationSet: null, connections: 1, endpoint: null });`;
  assert.ok(loadedBy(client) > 0, 'the test would see it');
});
