import type { Db } from '#platform/db/database.ts';
import { about, type Finding, ok, trouble } from './finding.ts';
import { listRefusedPairs } from './queries.ts';

export const REFUSALS = about({
  id: 'refusals',
  looksAt:
    'Whether receiving domains refused much mail today or yesterday because of its sender: reputation, authentication, a block list, the rate.',
  troubles: {
    refused: {
      status: 'warning',
      cause: '<receiver> refused <count> emails from <sender>. An answer of its server: “<words>”.',
      fix: 'Check the SPF, DKIM and DMARC records of <sender>. If the answer names a block list, follow its instructions. Send more slowly, and only to people who asked for it.',
    },
  },
});

/** One finding for each pair of domains whose owners were told, worst first, at most ten. */
export async function checkRefusals(db: Db): Promise<Finding[]> {
  const pairs = await listRefusedPairs(db, 10);
  if (pairs.length === 0) return [ok(REFUSALS, 'No domain refused much mail because of its sender.')];
  return pairs.map(({ sender, receiver, refused, words, day }) =>
    trouble(REFUSALS, 'refused', `${receiver} refuses mail from ${sender} (${day}).`, {
      sender,
      receiver,
      count: String(refused),
      words: words === '' ? 'none' : words,
    }),
  );
}
