import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { SANDBOX_DOMAIN } from './sandbox-domain.ts';

test('the domain of the installation is that of the server', () => {
  const file = join(import.meta.dirname, '../../../../server/src/features/domains/sandbox-domain.ts');
  assert.match(readFileSync(file, 'utf8'), new RegExp(`SANDBOX_DOMAIN = '${SANDBOX_DOMAIN}'`));
});
