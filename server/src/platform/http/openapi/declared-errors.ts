import { comparedRecord, isRepeatable, isSendLimited, type Route } from '../route.ts';

/**
 * Refusals of HTTP itself, which any route may give: a method, a size, a media type or an expectation that no route
 * takes. 408, 413 and 415 are declared where a route has a body; the others on no operation.
 */
export const PROTOCOL_ERRORS: readonly number[] = [405, 408, 413, 415, 417, 431];

/** The error statuses that a caller of this route may see: those that its definition implies, and its own. */
export function declaredErrors(route: Route): number[] {
  const isOpen = route.access === 'public';
  const statuses = new Set([
    400,
    500,
    503,
    ...(isOpen ? [] : [401, 403]),
    ...(route.params === undefined ? [] : [404]),
    ...(isRepeatable(route) || comparedRecord(route) !== undefined ? [409] : []),
    ...(route.body === undefined ? [] : [408, 413, 415]),
    ...(isSendLimited(route.access) ? [429] : []),
    ...(route.errors ?? []),
  ]);
  return [...statuses].sort((a, b) => a - b);
}
