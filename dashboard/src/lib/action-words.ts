import { ownEntry } from './own-entry.ts';

const NAMES: Readonly<Record<string, string>> = { api: 'API', bimi: 'BIMI', dkim: 'DKIM' };

/** The name of an action or a kind of record as words: `api_key.rotated` is "API key rotated". */
export function actionWords(name: string): string {
  const words = name
    .replace(/page_sent$/, 'page_of_recipients_written') // its emails leave later
    .split(/[._]/)
    .map((word) => ownEntry(NAMES, word) ?? word)
    .join(' ');
  return `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`;
}
