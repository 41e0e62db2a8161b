import { languagesAskedFor } from '#platform/pages/accept-language.ts';
import { de } from './de.ts';
import { en, type Messages } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { ja } from './ja.ts';
import { pt } from './pt.ts';

export type { Messages };

/** A language that newsletters can have. */
export interface Locale {
  /** BCP 47: what `lang` says and Intl takes. */
  readonly language: string;
  readonly messages: Messages;
}

const ENGLISH: Locale = { language: 'en', messages: en };
const LOCALES: ReadonlyMap<string, Locale> = new Map(
  Object.entries({ en, de, es, fr, pt, ja }).map(([language, messages]) => [language, { language, messages }]),
);

/** The values of `newsletters.language`. */
export const LANGUAGES: readonly string[] = [...LOCALES.keys()];

/** English for a language that there is not (any more). */
export const localeOf = (language: string): Locale => LOCALES.get(language) ?? ENGLISH;

export const messagesOf = (language: string): Messages => localeOf(language).messages;

/** For somebody of whom nothing is known but what their browser asks for. */
export const localeFor = (acceptLanguage: string | undefined): Locale =>
  languagesAskedFor(acceptLanguage)
    .map((language) => LOCALES.get(language))
    .find((locale) => locale !== undefined) ?? ENGLISH;
