import { LRUCache } from 'lru-cache';

/** For one content: texts that were compiled, by their shape. */
export interface CompiledShapes<T> {
  /** null: there is nothing to compile, or it has not paid. `compile` gives its result with its size in bytes. */
  find(key: string, compile: () => { compiled: T; bytes: number } | undefined): T | null;
}

/** Of all contents. */
const KEPT_BYTES = 32 * 1024 * 1024;
const KEPT_EACH_MAX = KEPT_BYTES / 2;
/** Compiling takes as long as two or three messages the long way. Beyond the first ones it must have paid. */
const FIRST_COMPILED = 8;
const FILLED_FOR_EACH = 10;

/** Keeps what was compiled within a limit of bytes. Recipients who all have a shape of their own compile little. */
export function createMergeStore<T extends object>(): { shapesOf(name: string): CompiledShapes<T> } {
  const kept = new LRUCache<string, { compiled: T | null }>({ maxSize: KEPT_BYTES, maxEntrySize: KEPT_EACH_MAX });
  return {
    shapesOf(name) {
      let compilations = 0;
      let filled = 0;
      return {
        find(key, compile) {
          const known = kept.get(`${name} ${key}`);
          if (known !== undefined) {
            if (known.compiled !== null) filled += 1;
            return known.compiled;
          }
          if (compilations >= FIRST_COMPILED && filled < compilations * FILLED_FOR_EACH) return null;
          compilations += 1;
          const { compiled, bytes } = compile() ?? { compiled: null, bytes: 0 };
          kept.set(`${name} ${key}`, { compiled }, { size: bytes + key.length * 2 + 1_000 });
          return compiled;
        },
      };
    },
  };
}
