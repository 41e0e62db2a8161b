import { useMutation } from '@tanstack/react-query';
import { getDomainZoneFile } from '../../../api/generated/sdk.gen.ts';
import { download } from '../../../lib/files/download.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { toastError } from '../../../ui/toasts.tsx';

/** The records as a file, for hosts of DNS zones that import one. */
export function DownloadZone({ id, domain }: { id: string; domain: string }) {
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const { data } = await getDomainZoneFile({ path: { id }, parseAs: 'blob', throwOnError: true });
      const file = data as unknown as Blob; // read as a blob, whatever the description says
      download(`${domain}.zone`, file.type, file);
    },
    onError: toastError,
  });
  return (
    <ActionButton variant="default" loading={isPending} onClick={() => mutate()}>
      Download zone file
    </ActionButton>
  );
}
