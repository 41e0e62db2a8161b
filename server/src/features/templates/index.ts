export { hasLiquid, parseTemplate, type Template, type TemplateKind } from './template.ts';
export { TemplateError } from './template-error.ts';
export { type DrawnPiece, textOfPieces } from './drawn-piece.ts';
