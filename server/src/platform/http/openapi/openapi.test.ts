import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

interface Document {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, { tags: string[]; 'x-codeSamples': { label: string; source: string }[] }>>;
}

/** As `npm run gen` wrote it; a check of its own says whether it is up to date, and holds its other rules. */
const document = JSON.parse(readFileSync(join(import.meta.dirname, '../../../../openapi.json'), 'utf8')) as Document;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, ...operation })),
);

test('every operation stands under a tag with a place and a description, and no tag is empty', () => {
  const used = new Set(operations.flatMap((operation) => operation.tags));
  assert.deepEqual([...used].sort(), document.tags.map((tag) => tag.name).sort());
  for (const tag of document.tags) assert.match(tag.description, /^[A-Z].{20,}[.?]$/, tag.name);
});

test('every sample for Node.js is a program that compiles', () => {
  const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor as FunctionConstructor; // its type says less
  for (const { name, 'x-codeSamples': samples } of operations) {
    const source = samples.find((sample) => sample.label === 'Node.js')?.source ?? '';
    // A function has no imports.
    assert.doesNotThrow(() => new AsyncFunction(source.replace(/^import .*;$/gm, '')), name);
  }
});

test('every sample for Go imports the packages that it uses, and no other, which would not compile', () => {
  const PACKAGES = ['bytes', 'fmt', 'io', 'log', 'mime/multipart', 'net/http', 'os', 'strings'];
  for (const { name, 'x-codeSamples': samples } of operations) {
    const source = samples.find((sample) => sample.label === 'Go')?.source ?? '';
    const program = source.slice(source.indexOf('func main'));
    const used = PACKAGES.filter((one) => new RegExp(`\\b${one.replace(/^.*\//, '')}\\.[A-Z]`).test(program));
    assert.deepEqual(
      [...source.matchAll(/^\t"(.+)"$/gm)].map(([, one]) => one),
      used,
      name,
    );
    assert.ok(used.includes('net/http'), name);
  }
});

test('no sample asks for a dry run', () => {
  for (const { name, 'x-codeSamples': samples } of operations) {
    for (const { source } of samples) assert.doesNotMatch(source, /dry_?run/i, name);
  }
});
