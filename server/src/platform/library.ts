import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * A library of node_modules that is loaded where its first use is, and not with the start: most processes wait for
 * weeks for the kind of request that needs it, and its code takes memory meanwhile. For libraries of a few MB that
 * synchronous code needs; where the caller waits anyway, `await import()` does the same.
 *
 * A load that throws is tried again by the next use. `server/src/main/idle-libraries.test.ts` lists the libraries that
 * every start loads.
 */
export function libraryOnFirstUse<Library>(name: string): () => Library {
  let library: Library | undefined;
  return () => {
    // The type is the library's own: each caller names it beside its name, `<typeof import('parse5')>('parse5')`.
    library ??= require(name) as Library;
    return library;
  };
}
