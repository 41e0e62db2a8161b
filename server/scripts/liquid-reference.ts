/**
 * `npm run` has no name for it, because it needs Ruby: renders the cases of `features/templates/engine/reference` with
 * Shopify's own implementation of Liquid (Debian: `apt-get install ruby-liquid`), and keeps its answers for the test.
 *
 *     node scripts/run.mjs scripts/liquid-reference.ts
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FILTER_CASES } from '../src/features/templates/engine/reference/filter-cases.ts';
import { TAG_CASES } from '../src/features/templates/engine/reference/tag-cases.ts';
import { TEXT_CASES } from '../src/features/templates/engine/reference/text-cases.ts';
import { VALUE_FILTER_CASES } from '../src/features/templates/engine/reference/value-filter-cases.ts';

const groups = [...FILTER_CASES, ...VALUE_FILTER_CASES, ...TAG_CASES, ...TEXT_CASES];

/**
 * Reads groups, writes their templates each with its text, or with null for a template that it refuses. It refuses
 * some only in its strict mode; \`lax\` is the text of these without it.
 */
const RUBY = `
require 'json'
require 'liquid'
def render(template, data, mode)
  Liquid::Template.parse(template, error_mode: mode).render!(Marshal.load(Marshal.dump(data)), strict_filters: true)
rescue Liquid::Error
  nil
end
groups = JSON.parse($stdin.read)
rendered = groups.map do |group|
  group.merge('cases' => group.delete('templates').map do |template|
    strict = render(template, group['data'], :strict)
    next { template: template, expected: strict } unless strict.nil?
    lax = render(template, group['data'], :lax)
    { template: template, expected: nil }.merge(lax.nil? ? {} : { lax: lax })
  end)
end
puts JSON.generate('version' => Liquid::VERSION, 'groups' => rendered)
`;

const answer = execFileSync('ruby', ['-e', RUBY], {
  input: JSON.stringify(groups),
  env: { ...process.env, TZ: 'UTC', LANG: 'C.UTF-8' },
  encoding: 'utf8',
});
const path = join(import.meta.dirname, '../src/features/templates/engine/reference/fixtures/ruby-liquid.json');
writeFileSync(path, `${JSON.stringify(JSON.parse(answer), null, 1)}\n`);
console.log(`${path} is written.`);
