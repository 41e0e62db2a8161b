import type { AskingImport, AskOutcome } from '#features/transfers';
import { selectNewsletter } from '../../../queries.ts';
import { askPeople, type AskWiring } from '../../confirmation/ask-people.ts';
import { listToAsk } from './ask-queries.ts';

/** Asks the next people whom an import has left pending to confirm. */
export async function askImported(
  wiring: AskWiring,
  given: AskingImport,
  asked: (lastSubscriberId: string, sent: number) => Promise<void>,
): Promise<AskOutcome> {
  const newsletter = await selectNewsletter(wiring.db, given.workspaceId, given.targetId);
  if (newsletter === undefined) return { do: 'end', error: null };
  return askPeople(wiring, {
    newsletter,
    next: (limit) => listToAsk(wiring.db, given, limit),
    asked: ({ id }, sent) => asked(id, sent),
  });
}
