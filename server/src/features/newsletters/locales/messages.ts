import { languagesAskedFor } from './accept-language.ts';
import { en } from './en.ts';

/** The texts of one language, in groups. English says which there are. */
export type Messages = typeof en;

/** A language that newsletters can have. */
export interface Locale {
  /** BCP 47: what `lang` says and Intl takes. */
  readonly language: string;
  readonly messages: Messages;
}

const ENGLISH: Locale = { language: 'en', messages: en };
const LOCALES: ReadonlyMap<string, Locale> = new Map(
  Object.entries({ en }).map(([language, messages]) => [language, { language, messages }]),
);

/** What `newsletters.language` may be. */
export const LANGUAGES: readonly string[] = [...LOCALES.keys()];

/** English for a language that there is not (any more). */
export const localeOf = (language: string): Locale => LOCALES.get(language) ?? ENGLISH;

export const messagesOf = (language: string): Messages => localeOf(language).messages;

/** For somebody of whom nothing is known but what their browser asks for. */
export const localeFor = (acceptLanguage: string | undefined): Locale =>
  languagesAskedFor(acceptLanguage)
    .map((language) => LOCALES.get(language))
    .find((locale) => locale !== undefined) ?? ENGLISH;
