import type { Answer } from '#platform/http/route.ts';
import { type Shown, showPage } from '#platform/pages/layout.ts';
import type { AnyReaderContext } from '../reader-context.ts';

/** A page of a list, in its name, colour and language. */
export const show = ({ brand, locale, embedded, formAt }: AnyReaderContext, shown: Shown): Answer => {
  // In a frame the whole page would open in the small place of the form.
  const home = embedded === null && formAt !== null ? { homeAt: formAt } : {};
  return showPage({ brand, language: locale.language, embedded }, { ...home, ...shown });
};
