import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseTemplate, type TemplateKind } from '../template.ts';
import { TemplateError } from '../template-error.ts';
import { DIFFERENCES } from './differences.ts';
import { FILTER_CASES } from './filter-cases.ts';
import { TAG_CASES } from './tag-cases.ts';
import { TEXT_CASES } from './text-cases.ts';
import { VALUE_FILTER_CASES } from './value-filter-cases.ts';

interface Answers {
  version: string;
  groups: {
    name: string;
    data: Record<string, unknown>;
    cases: { template: string; expected: string | null; lax?: string }[];
  }[];
}

const kept = new URL('./fixtures/ruby-liquid.json', import.meta.url);
const answers = JSON.parse(readFileSync(kept, 'utf8')) as Answers; // scripts/liquid-reference.ts writes it so
const differences = new Map(DIFFERENCES.flatMap(({ ours }) => ours));

/** Null for a template that is refused. */
async function rendered(template: string, data: Record<string, unknown>, kind: TemplateKind): Promise<string | null> {
  try {
    return (await parseTemplate(template, kind)).render(data);
  } catch (error) {
    assert.ok(error instanceof TemplateError, `${template}: ${String(error)}`);
    return null;
  }
}

test('a template renders as the reference implementation renders it, or differs as the table says', async () => {
  const wrong: unknown[] = [];
  const used = new Set<string>();
  let asStrict = 0;
  for (const { data, cases } of answers.groups) {
    for (const { template, expected, lax } of cases) {
      const ours = await rendered(template, data, 'text');
      if (ours === expected) asStrict += 1;
      else if (differences.has(template)) used.add(template);
      // A template that only the strict mode refuses may be read as the other mode reads it.
      const isRight = differences.has(template)
        ? ours === differences.get(template) && ours !== expected
        : ours === expected || ours === lax;
      if (!isRight) wrong.push({ template, ours, expected, listed: differences.get(template) });
    }
  }
  assert.deepEqual(wrong, []);
  assert.deepEqual(
    [...differences.keys()].filter((template) => !used.has(template)),
    [],
    'no case has these differences',
  );
  assert.ok(asStrict > 800, `only ${asStrict} are the same`);
});

test('in html the same templates print the same, as far as nothing of it is escaped', async () => {
  const wrong: unknown[] = [];
  for (const { data, cases } of answers.groups) {
    for (const { template } of cases) {
      const text = await rendered(template, data, 'text');
      if (text !== null && /[&<>"']/.test(text)) continue;
      const html = await rendered(template, data, 'html');
      if (html !== text) wrong.push({ template, html, text });
    }
  }
  assert.deepEqual(wrong, []);
});

test('the kept answers are those of the cases', () => {
  const asked = [...FILTER_CASES, ...VALUE_FILTER_CASES, ...TAG_CASES, ...TEXT_CASES];
  assert.deepEqual(
    answers.groups.map(({ name, data, cases }) => ({ name, data, templates: cases.map(({ template }) => template) })),
    asked.map((group) => ({ ...group, data: JSON.parse(JSON.stringify(group.data)) })),
    'run node scripts/run.mjs scripts/liquid-reference.ts',
  );
});
