import { useMutation } from '@tanstack/react-query';
import { getDomainZoneFile } from '../../../api/generated/sdk.gen.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { toastError } from '../../../ui/toasts.tsx';

/** The records as a file, for hosts of DNS zones that import one. */
export function DownloadZone({ id, domain }: { id: string; domain: string }) {
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const { data } = await getDomainZoneFile({ path: { id }, parseAs: 'blob', throwOnError: true });
      saveFile(data as unknown as Blob, `${domain}.zone`); // read as a blob, whatever the description says
    },
    onError: toastError,
  });
  return (
    <ActionButton variant="default" loading={isPending} onClick={() => mutate()}>
      Download zone file
    </ActionButton>
  );
}
