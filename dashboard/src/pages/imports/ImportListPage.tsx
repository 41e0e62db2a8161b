import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { getListOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import { importContacts } from '../../api/generated/sdk.gen.ts';
import { useWhyNot } from '../../api/session.ts';
import { pb } from '../../lib/paths.ts';
import { ImportWizard } from './ImportWizard.tsx';

/** Contacts of a list, from a file. */
export function ImportListPage() {
  const { id = '' } = useParams({ strict: false });
  const { data: list } = useQuery(getListOptions({ path: { id } }));
  return (
    <ImportWizard
      title="Import contacts"
      crumbs={[
        { label: 'Lists', href: pb.lists() },
        { label: list?.name ?? 'List', href: pb.list(id) },
      ]}
      path={`/v1/lists/${id}/import`}
      kind="list"
      upload={(body, headers, query) => importContacts({ path: { id }, body, headers, query, throwOnError: true })}
      whyNot={useWhyNot('contacts:write')}
    />
  );
}
