import type { Answer } from '#platform/http/route.ts';
import { type Shown, showPage } from '#platform/pages/layout.ts';
import type { AnyPageContext } from './page-context.ts';

/** A page of a newsletter, in its name, colour and language. */
export const show = ({ newsletter, locale, embedded }: AnyPageContext, shown: Shown): Answer =>
  showPage({ brand: newsletter, language: locale.language, embedded }, shown);
