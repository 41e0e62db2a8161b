import type { Answer } from '#platform/http/route.ts';
import { type Shown, showPage } from '#platform/pages/layout.ts';
import type { AnyReaderContext } from '../reader-context.ts';

/** A page of a list, in its name, colour and language. */
export const show = ({ brand, locale, embedded }: AnyReaderContext, shown: Shown): Answer =>
  showPage({ brand, language: locale.language, embedded }, shown);
