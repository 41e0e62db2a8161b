export { checkComposition, LINK_TOKEN_CHARS } from './checks/check-composition.ts';
export { type Composed, compose } from './compose.ts';
export { countedLinks } from './counted-links.ts';
export type { Composition, Reader, ReaderLinks, Sender } from './composition.ts';
export { PREVIEW_TOKEN } from './made-up-readers.ts';
export { preview } from './preview.ts';
export { previewOfSend } from './preview-of-send.ts';
export { refuseBrokenLiquid } from './refuse-texts.ts';
export { sendTest } from './send-test.ts';
