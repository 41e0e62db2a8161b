import type { ImportTarget } from '#features/transfers';
import type { Clock } from '#platform/clock.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import { refreshStatistics } from '#platform/db/statistics-queries.ts';
import { unacceptable } from '#platform/errors/app-error.ts';
import { getList } from '../lists/change-lists.ts';
import { findList } from '../lists/queries.ts';
import { CONTACT_LAYOUT } from './contact-layout.ts';
import { countImported, deleteImportedContacts, deleteImportedMembers, withoutTrace } from './import-queries.ts';
import { type ContactRow, readContactRow } from './read-contact-row.ts';
import { takeContacts } from './take-contacts.ts';

/** Files of contacts into a list. */
export const listImports = (wiring: { secrets: Secrets; clock: Clock }): ImportTarget<ContactRow> => ({
  layout: CONTACT_LAYOUT,
  async authorise(ctx, id, { alreadyConfirmed, sendConfirmation, emitEvents, source }) {
    const { name } = await getList(ctx, id);
    const given = { consent: alreadyConfirmed, send_confirmation: sendConfirmation, emit_events: emitEvents };
    const wrong = Object.entries({ ...given, source: source !== null }).find(([, isGiven]) => isGiven);
    if (wrong !== undefined) throw unacceptable(wrong[0], `${wrong[0]} is for subscribers of newsletters.`);
    return name;
  },
  readRow: readContactRow,
  async open(db, { workspaceId, targetId }) {
    const list = await findList(db, workspaceId, targetId);
    if (list === undefined) return undefined;
    await refreshStatistics(db, 'contacts');
    await refreshStatistics(db, 'contact_list_members');
    return {
      async takePage(tx, page) {
        const take = () => takeContacts({ ...wiring, tx, page });
        return page.given.options.dryRun ? withoutTrace(tx, take) : take();
      },
    };
  },
  countUndo: countImported,
  async undoPage(tx, given, limit) {
    const ids = await deleteImportedMembers(tx, given, limit);
    if (ids.length === 0) return deleteImportedContacts(tx, given, limit);
    // In the same page, so that somebody who leaves the list and the workspace counts once.
    await deleteImportedContacts(tx, { ...given, ids }, limit);
    return ids.length;
  },
  ask: async () => ({ do: 'end', error: null }),
});
