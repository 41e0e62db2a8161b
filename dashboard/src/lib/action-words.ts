import { ownEntry } from './own-entry.ts';

const NAMES: Readonly<Record<string, string>> = {
  api: 'API',
  bimi: 'BIMI',
  css: 'CSS',
  dkim: 'DKIM',
  html: 'HTML',
  ip: 'IP',
  smtp: 'SMTP',
  url: 'URL',
};

/** The name of an action or a kind of record as words: `api_key.rotated` is "API key rotated". */
export function actionWords(name: string): string {
  return sentence(fieldWords(name.replace(/page_sent$/, 'page_of_recipients_written'))); // its emails leave later
}

/** The name of a field within a sentence: `html_body` is "HTML body". */
export const fieldWords = (name: string): string =>
  name
    .split(/[._]/)
    .map((word) => ownEntry(NAMES, word) ?? word)
    .join(' ');

/** Words with a capital letter at their front. */
export const sentence = (words: string): string => `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`;
