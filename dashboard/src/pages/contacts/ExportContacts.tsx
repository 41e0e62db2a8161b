import { exportContacts } from '../../api/generated/sdk.gen.ts';
import { useWrite } from '../../api/use-write.ts';
import { download } from '../../lib/files/download.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { LaterMenu } from '../../ui/menu/LaterMenu.tsx';
import { toastError } from '../../ui/toasts.tsx';

type Format = 'csv' | 'jsonl';

const TYPES = { csv: 'text/csv', jsonl: 'application/jsonl' } as const satisfies Record<Format, string>;

/** All contacts, or those of a list or a segment, as a file. */
export function ExportContacts({ query }: { query: { list_id?: string; segment_id?: string } }) {
  const write = useWrite({
    call: async (format: Format) => {
      const { data } = await exportContacts({ query: { ...query, format }, parseAs: 'blob', throwOnError: true });
      // `parseAs` decides what it is; the generator names the file a string.
      return { data: data as unknown as Blob };
    },
    changes: [],
    onDone: (file, format) => download(`contacts.${format}`, TYPES[format], file),
    onError: toastError,
  });
  return (
    <LaterMenu
      position="bottom-end"
      target={
        <ActionButton variant="default" loading={write.isPending}>
          Export
        </ActionButton>
      }
    >
      {(Menu) => (
        <>
          <Menu.Item onClick={() => write.mutate('csv')}>CSV, for spreadsheets</Menu.Item>
          <Menu.Item onClick={() => write.mutate('jsonl')}>JSON Lines, for programs</Menu.Item>
        </>
      )}
    </LaterMenu>
  );
}
