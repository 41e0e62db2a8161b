import { Select, Skeleton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  getContactOptions,
  listContactsOptions,
  previewBroadcastOptions,
} from '../../../api/generated/@tanstack/react-query.gen.ts';
import { useUrlState } from '../../../lib/use-url-state.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { MailAsRead } from '../../../ui/writing/MailAsRead.tsx';
import classes from '../broadcasts.module.css';

interface Props {
  id: string;
  /** The versions of the content that somebody got, where it was changed while it was paused. */
  versions?: readonly number[];
}

/** The saved broadcast as a contact gets it, or as others got it before it was changed. */
export function PreviewPanel({ id, versions = [] }: Props) {
  const [{ contact }, setUrl] = useUrlState(['contact']);
  const [version, setVersion] = useState<string | null>(null);
  const query = {
    ...(contact === undefined ? {} : { contact_id: contact }),
    ...(version === null ? {} : { content_version: version }),
  };
  const preview = useQuery({ ...previewBroadcastOptions({ path: { id }, query }), staleTime: 0 });
  return (
    <div className={classes['stack']}>
      <ContactSelect contact={contact} onChange={(next) => setUrl({ contact: next })} />
      {versions.length > 1 && (
        <Select
          label="Version of the content"
          placeholder="The newest"
          data={versions.map((one) => ({ value: String(one), label: `Version ${one}` }))}
          value={version}
          onChange={setVersion}
          clearable
          maw={360}
        />
      )}
      {preview.error !== null && <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />}
      {preview.data === undefined ? (
        preview.error === null && <Skeleton height={320} />
      ) : (
        <MailAsRead mail={preview.data} label="The broadcast as mail" />
      )}
    </div>
  );
}

interface ContactProps {
  contact: string | undefined;
  onChange: (contact: string | undefined) => void;
}

const FOUND = '20';
const WAIT_MS = 200;

/** Finds any contact by a part of the address or name, however many there are. */
function ContactSelect({ contact, onChange }: ContactProps) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), WAIT_MS);
  const chosen = useQuery({
    ...getContactOptions({ path: { id: contact ?? '' } }),
    enabled: contact !== undefined,
  }).data;
  // The field shows the chosen address, which is no search.
  const wanted = search === chosen?.email ? '' : search;
  const people = useQuery({
    ...listContactsOptions({ query: { limit: FOUND, ...(wanted === '' ? {} : { search: wanted }) } }),
    placeholderData: keepPreviousData,
  });
  const found = people.data?.data ?? [];
  const shown = chosen === undefined || found.some((one) => one.id === chosen.id) ? found : [chosen, ...found];
  return (
    <Select
      label="As this contact gets it"
      description="Search by address or name."
      placeholder="An invented contact"
      data={shown.map((one) => ({ value: one.id, label: one.email }))}
      value={contact ?? null}
      onChange={(next) => onChange(next ?? undefined)}
      searchValue={typed}
      onSearchChange={setTyped}
      // The server has searched, names too.
      filter={({ options }) => options}
      nothingFoundMessage={people.isFetching ? 'Searching …' : 'No contact has this'}
      searchable
      clearable
      maw={360}
    />
  );
}
