import type { Composition, Reader, ReaderLinks } from './composition.ts';

/** Somebody made up, for previews and tests. */
export const madeUpReader: Reader = { name: 'Ada Lovelace', email: 'ada@example.com', metadata: {} };

/** One who gave everything and one who gave nothing but an address: a template has to do for both. */
export const madeUpReaders: readonly Reader[] = [
  madeUpReader,
  { name: null, email: 'someone@example.com', metadata: {} },
];

/** The token in links of previews and tests: they are about nobody, and the feature of the list answers with a page. */
export const PREVIEW_TOKEN = 'preview';

export const previewLinks = ({ deadLinks }: Pick<Composition, 'deadLinks'>): ReaderLinks => deadLinks(PREVIEW_TOKEN);
