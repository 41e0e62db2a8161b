import type { IssueStats } from '../issue-stats.ts';

type Counts = Pick<IssueStats, 'total' | 'refused' | 'suppressed' | 'cancelled' | 'unconfirmed'>;

/**
 * Who was not sent an issue that is done, in a sentence: an issue that did not reach everybody must not look like one
 * that did. null: everybody was sent it.
 */
export function outcomeSentence({ total, refused, suppressed, cancelled, unconfirmed }: Counts): string | null {
  const parts = [
    refused > 0 ? `${refused} refused` : '',
    suppressed > 0 ? `${suppressed} who had left or were suppressed by then` : '',
    cancelled > 0 ? `${cancelled} cancelled` : '',
  ].filter((part) => part !== '');
  const sentences = [
    ...(parts.length > 0
      ? [`${refused + suppressed + cancelled} of ${total} were not sent it: ${parts.join(', ')}.`]
      : []),
    ...(unconfirmed > 0 ? [`Of ${unconfirmed} it is not known.`] : []),
  ];
  return sentences.length > 0 ? sentences.join(' ') : null;
}
