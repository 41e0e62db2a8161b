export { hasLiquid, parseTemplate, type Template, type TemplateKind } from './engine/template.ts';
export { TemplateError } from './engine/template-error.ts';
export { type DrawnPiece, textOfPieces } from './engine/drawn-piece.ts';
