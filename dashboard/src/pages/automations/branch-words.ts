import { eventWords } from './triggers.ts';
import { ownEntry } from '../../lib/own-entry.ts';

const WORDS: Readonly<Record<string, string>> = {
  yes: 'It holds: on to the next step',
  no: 'It does not hold: else',
  event: 'It happened',
  timeout: 'Time was up',
  goal: 'The goal was reached',
  unsubscribed: 'The person has unsubscribed',
  not_confirmed: 'The person has not confirmed',
  suppressed: 'The address is suppressed',
  workspace_paused: 'The workspace is paused',
  cancelled: 'Somebody cancelled it',
};

/** A branch that was taken, or the reason of an end, in words. */
export function branchWords(branch: string): string {
  const words = ownEntry(WORDS, branch) ?? eventWords(branch);
  return words === branch ? branch.replaceAll('_', ' ') : words;
}
