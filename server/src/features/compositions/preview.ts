import type { RenderedMail } from '#mail/list-mail/content-checks.ts';
import { composeTexts } from './compose.ts';
import type { Composition, Reader } from './composition.ts';
import { madeUpReader } from './made-up-readers.ts';
import { type ComposedTexts, renderFor } from './render-for.ts';

/** A preview names no sender: mail can be looked at before its list has one. */
export const NO_DOMAIN = 'preview.invalid';

/**
 * The message that a reader would get, or somebody made up (null). Its links to leave lead nowhere: a person who looks
 * at a preview must not unsubscribe anybody. `stored`: texts that were composed before, such as those of a version that
 * was replaced. Throws as compose does, and as `findReader` does afterwards.
 */
export async function preview(
  composition: Composition,
  findReader: (() => Promise<Reader>) | null,
  stored?: ComposedTexts,
): Promise<RenderedMail> {
  const composed = stored ?? (await composeTexts(composition, NO_DOMAIN));
  return renderFor(composition, composed, findReader === null ? madeUpReader : await findReader());
}
