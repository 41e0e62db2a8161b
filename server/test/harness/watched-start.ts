/**
 * For `--import`: notes which packages a process loads and where it asks `Intl` to write something, and writes both
 * to the file WATCHED_START at the end of the process.
 */
import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

export interface WatchedStart {
  /** Names of packages below node_modules; of one within another, the innermost. */
  packages: string[];
  /** Where in the code `Intl` was asked. */
  intl: string[];
}

const packages = new Set<string>();
const intl = new Set<string>();

registerHooks({
  load(url, context, nextLoad) {
    const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1];
    if (name !== undefined) packages.add(name);
    return nextLoad(url, context);
  },
});

const note = (): unknown => intl.add(new Error('Intl was asked').stack?.split('\n').slice(3, 6).join('\n') ?? '');

const constructors = Intl as unknown as Record<string, typeof Intl.NumberFormat>; // each is replaced by itself, watched
for (const name of ['DateTimeFormat', 'ListFormat', 'NumberFormat', 'PluralRules', 'Collator', 'RelativeTimeFormat']) {
  const made = constructors[name];
  if (made === undefined) continue;
  constructors[name] = new Proxy(made, {
    construct(target, words, newTarget): object {
      note();
      return Reflect.construct(target, words, newTarget);
    },
    apply(target, self, words): unknown {
      note();
      return Reflect.apply(target, self, words);
    },
  });
}
for (const prototype of [Number.prototype, Date.prototype, String.prototype] as object[]) {
  for (const name of ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString', 'localeCompare']) {
    const method: unknown = Reflect.get(prototype, name);
    if (typeof method !== 'function' || !Object.hasOwn(prototype, name)) continue;
    Reflect.set(prototype, name, function watched(this: unknown, ...words: unknown[]): unknown {
      note();
      return Reflect.apply(method, this, words);
    });
  }
}

process.on('exit', () => {
  const seen: WatchedStart = { packages: [...packages], intl: [...intl] };
  writeFileSync(process.env['WATCHED_START'] ?? '', JSON.stringify(seen));
});
