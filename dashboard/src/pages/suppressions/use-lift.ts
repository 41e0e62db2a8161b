import { addSuppression, removeSuppression } from '../../api/generated/sdk.gen.ts';
import type { Suppression } from '../../api/generated/types.gen.ts';
import { useWrite } from '../../api/use-write.ts';
import { inTurns } from '../../lib/in-turns.ts';
import { counted } from '../../lib/number.ts';
import { toastDone, toastError, toastUndo } from '../../ui/toasts.tsx';
import { canBeUndone } from './reasons.ts';

const CHANGES = ['listSuppressions', 'getSuppression'];

/** Lifts suppressions, and offers to put back those that were added by hand. */
export function useLift(onDone: () => void) {
  const restore = useWrite({
    call: async (rows: readonly Suppression[]) => {
      await inTurns(rows, ({ email, reason, note, expires_at }) =>
        addSuppression({
          body: { email, reason: reason === 'unsubscribe' ? 'unsubscribe' : 'manual', note, expires_at },
          throwOnError: true,
        }),
      );
      return { data: rows };
    },
    changes: CHANGES,
    onDone: (rows) => toastDone(`${counted(rows.length, 'address is', 'addresses are')} suppressed again.`),
    onError: toastError,
  });
  return useWrite({
    call: async (rows: readonly Suppression[]) => {
      await inTurns(rows, ({ id }) => removeSuppression({ path: { id_or_email: id }, throwOnError: true }));
      return { data: rows };
    },
    changes: ['listSuppressions'],
    onDone: (rows) => {
      const [first] = rows;
      const what =
        rows.length === 1 && first !== undefined ? first.email : counted(rows.length, 'address', 'addresses');
      const message = `${what} may get mail again.`;
      if (rows.every(({ reason }) => canBeUndone(reason))) toastUndo(message, () => restore.mutate(rows));
      else toastDone(message);
      onDone();
    },
    onError: toastError,
  });
}
