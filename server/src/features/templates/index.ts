export { hasLiquid, parseTemplate, type Template, type TemplateKind } from './engine/template.ts';
export { TemplateError } from './engine/template-error.ts';
export { type DrawnPiece, textOfPieces } from './engine/drawn-piece.ts';
export { listTemplateIds } from './queries.ts';
export { createTemplatesFeature } from './feature.ts';
export type { TemplateTest } from './wiring.ts';
export { type TemplateForSend, templateForSend, type TemplateLoader } from './template-for-send.ts';
