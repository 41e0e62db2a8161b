/** The form of a slug: 1 to 63 characters, no hyphen at either end. */
export const SLUG_PATTERN = '^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$';

/** `#4f46e5` or `#4F4`. It goes into style sheets, so nothing else may stand in it. */
export const ACCENT_COLOR_PATTERN = '^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$';

/**
 * Words that stand where a slug would in the public paths, or will; and those that a program writes into a URL when it
 * has lost the slug.
 */
const RESERVED = new Set([
  'admin',
  'api',
  'archive',
  'confirm',
  'data',
  'embed',
  'feed',
  'null',
  'preferences',
  'resend',
  'static',
  'subscribe',
  'undefined',
  'undo',
  'unsubscribe',
]);

export const isReservedSlug = (slug: string): boolean => RESERVED.has(slug);
