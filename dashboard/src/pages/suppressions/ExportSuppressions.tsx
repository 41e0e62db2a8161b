import { exportSuppressions } from '../../api/generated/sdk.gen.ts';
import type { SuppressionReason } from '../../api/generated/types.gen.ts';
import { useWrite } from '../../api/use-write.ts';
import { download } from '../../lib/files/download.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { toastError } from '../../ui/toasts.tsx';

interface Query {
  search?: string;
  reason?: SuppressionReason;
}

/** The addresses that the filters of the page show, as a CSV file, however many pages they have. */
export function ExportSuppressions({ query }: { query: Query }) {
  const write = useWrite({
    call: async () => {
      const { data } = await exportSuppressions({ query, parseAs: 'blob', throwOnError: true });
      // `parseAs` decides what it is; the generator names the file a string.
      return { data: data as unknown as Blob };
    },
    changes: [],
    onDone: (file) => download('suppressions.csv', 'text/csv', file),
    onError: toastError,
  });
  return (
    <ActionButton variant="default" loading={write.isPending} onClick={() => write.mutate(undefined)}>
      {query.search === undefined && query.reason === undefined ? 'Export' : 'Export these'}
    </ActionButton>
  );
}
