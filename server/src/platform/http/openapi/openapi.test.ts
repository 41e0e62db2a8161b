import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

interface Document {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, { tags: string[]; responses: Record<string, { description: string }> }>>;
}

/** As `npm run gen` wrote it; that it is up to date is a check of its own. */
const document = JSON.parse(readFileSync(join(import.meta.dirname, '../../../../openapi.json'), 'utf8')) as Document;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, ...operation })),
);

test('every operation stands under a tag with a place and a description, and no tag is empty', () => {
  const used = new Set(operations.flatMap((operation) => operation.tags));
  assert.deepEqual([...used].sort(), document.tags.map((tag) => tag.name).sort());
  for (const tag of document.tags) assert.match(tag.description, /^[A-Z].{20,}[.?]$/, tag.name);
});

test('every answer is described', () => {
  for (const { name, responses } of operations) {
    for (const [status, { description }] of Object.entries(responses)) {
      assert.doesNotMatch(description, /^(Default Response)?$/, `${name} ${status}`);
    }
  }
});
