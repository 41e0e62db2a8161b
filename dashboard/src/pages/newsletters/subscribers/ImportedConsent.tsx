import { useQuery } from '@tanstack/react-query';
import { getImportOptions, listSubscriberConsentsOptions } from '../../../api/generated/@tanstack/react-query.gen.ts';
import type { Import, Subscriber } from '../../../api/generated/types.gen.ts';
import { pb } from '../../../lib/paths.ts';
import { exactTime } from '../../../lib/time.ts';

/** Records of a person do not change, and neither does the caller of an import. */
const ONCE = { staleTime: 60_000, retry: false };

/** The declaration that an imported person agreed: by whom, when, and in which import. */
export function ImportedConsent({ person: { newsletter_id: id, id: subscriberId } }: { person: Subscriber }) {
  const consents = useQuery({
    ...listSubscriberConsentsOptions({ path: { id, subscriberId }, query: { limit: '100' } }),
    ...ONCE,
  });
  const entry = consents.data?.data.find(({ action }) => action === 'imported');
  const importId = entry?.details?.['import_id'];
  const given = useQuery({
    ...getImportOptions({ path: { id: String(importId) } }),
    ...ONCE,
    enabled: typeof importId === 'string',
  });
  if (consents.isPending || given.isLoading) return 'Import';
  if (entry === undefined) return 'Import: nothing more is on record';
  return (
    <>
      Import: {callerOf(given.data?.created_by, entry.details?.['by'])}{' '}
      {entry.details?.['consent'] === 'already_confirmed'
        ? 'declared that they had agreed'
        : 'imported them and did not declare that they had agreed'}
      , on {exactTime(entry.at)}. {given.data !== undefined && <a href={pb.import(given.data.id)}>The import</a>}
    </>
  );
}

/** The record of the import names a member by the address; the consent alone says only the kind and the id. */
function callerOf(caller: Import['created_by'] | undefined, by: unknown) {
  if (caller?.email != null) return caller.email;
  const [type, id] = typeof by === 'string' ? by.split(':') : [];
  if (type === 'api_key') return id === undefined ? 'an API key' : <a href={pb.key(id)}>an API key</a>;
  return type === 'user' ? 'a member' : 'somebody';
}
