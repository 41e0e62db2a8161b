import { type ImportTarget, PERSON_LAYOUT, type PersonRow, readPerson, takePeople } from '#features/transfers';
import { refreshStatistics } from '#platform/db/statistics-queries.ts';
import { getNewsletter } from '../../../get-newsletter.ts';
import { selectNewsletter } from '../../../queries.ts';
import type { AskWiring } from '../../confirmation/ask-people.ts';
import { askImported } from './ask-imported.ts';
import { PageWork } from './page-work.ts';
import { requireConsentOrMail } from './require-consent-or-mail.ts';
import { countImported, removeImported } from './page-queries.ts';

/** Files of subscribers. */
export const subscriberImports = (wiring: AskWiring): ImportTarget<PersonRow> => ({
  layout: PERSON_LAYOUT,
  async authorise(ctx, id, options) {
    const newsletter = await getNewsletter(ctx, id);
    requireConsentOrMail(newsletter, options);
    return newsletter.name;
  },
  readRow: readPerson,
  async open(db, given) {
    const newsletter = await selectNewsletter(db, given.workspaceId, given.targetId);
    if (newsletter === undefined) return undefined;
    await refreshStatistics(db, 'subscribers');
    await refreshStatistics(db, 'consents');
    return { takePage: (tx, page) => takePeople(page, new PageWork(tx, wiring.secrets, newsletter, page)) };
  },
  countUndo: countImported,
  undoPage: removeImported,
  ask: (given, asked) => askImported(wiring, given, asked),
});
