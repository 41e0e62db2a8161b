import type { Composition, Reader, ReaderLinks } from './composition.ts';

/** Somebody made up, for previews and tests. */
export const madeUpReader: Reader = { name: 'Ada Lovelace', email: 'ada@example.com', metadata: {} };

/** One who gave everything and one who gave nothing but an address: a template has to do for both. */
export const madeUpReaders: readonly Reader[] = [
  madeUpReader,
  { name: null, email: 'someone@example.com', metadata: {} },
];

export const previewLinks = ({ deadLinks }: Pick<Composition, 'deadLinks'>): ReaderLinks => deadLinks('preview');
