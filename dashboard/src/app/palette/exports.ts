import { Download } from 'lucide-react';
import { exportContacts, exportSuppressions } from '../../api/generated/sdk.gen.ts';
import { useWrite } from '../../api/use-write.ts';
import { download } from '../../lib/files/download.ts';
import { toastError } from '../../ui/toasts.tsx';
import { ACTION, type Command } from './command.ts';

const FILES = {
  contacts: () => exportContacts({ query: { format: 'csv' }, parseAs: 'blob', throwOnError: true }),
  suppressions: () => exportSuppressions({ parseAs: 'blob', throwOnError: true }),
} as const;

type Exported = keyof typeof FILES;

/** Whole lists as files. Every role may read them. */
export function useExports(): readonly Command[] {
  const write = useWrite({
    call: async (which: Exported) => {
      const { data } = await FILES[which]();
      // `parseAs` decides what it is; the generator names the file a string.
      return { data: data as unknown as Blob };
    },
    changes: [],
    onDone: (file, which) => download(`${which}.csv`, 'text/csv', file),
    onError: toastError,
  });
  const command = (which: Exported, also: string): Command => ({
    id: `export-${which}`,
    label: `Export all ${which}`,
    group: ACTION,
    icon: Download,
    also,
    run: () => write.mutate(which),
  });
  return [command('contacts', 'csv file download people'), command('suppressions', 'csv file download blocked')];
}
