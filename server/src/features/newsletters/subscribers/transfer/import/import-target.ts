import type { ImportTarget } from '#features/transfers';
import { selectNewsletter } from '../../../queries.ts';
import { askImported, type AskWiring } from './ask-imported.ts';
import { SUBSCRIBER_LAYOUT } from './fields.ts';
import { PageWork } from './page-work.ts';
import { refreshStatistics, removeImported } from './page-queries.ts';
import { type GoodRow, readRow } from './read-row.ts';

/** Files of subscribers. */
export const subscriberImports = (wiring: AskWiring): ImportTarget<GoodRow> => ({
  layout: SUBSCRIBER_LAYOUT,
  readRow,
  async open(db, given) {
    const newsletter = await selectNewsletter(db, given.workspaceId, given.targetId);
    if (newsletter === undefined) return undefined;
    await refreshStatistics(db);
    return { takePage: (tx, page) => new PageWork(tx, wiring.secrets, newsletter, page).take() };
  },
  undoPage: removeImported,
  ask: (given, asked) => askImported(wiring, given, asked),
});
