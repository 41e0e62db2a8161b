import { libraryOnFirstUse } from '#platform/library.ts';

/** The parser of html, for everything that reads mail as a browser does. With its tables it takes 3.5 MB. */
export const htmlParser = libraryOnFirstUse<typeof import('parse5')>('parse5');
