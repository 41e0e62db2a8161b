import { Select, Skeleton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  getSubscriberOptions,
  listSubscribersOptions,
  previewIssueOptions,
} from '../../../api/generated/@tanstack/react-query.gen.ts';
import { useUrlState } from '../../../lib/use-url-state.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { MailAsRead } from '../../../ui/writing/MailAsRead.tsx';
import classes from './issues.module.css';
import type { IssueIds } from './SendIssue.tsx';

interface Props {
  path: IssueIds;
  /** The versions of the content that somebody got, where it was changed while it was paused. */
  versions?: readonly number[];
}

/** The saved issue as a subscriber gets it, or as others got it before it was changed. */
export function PreviewPanel({ path, versions = [] }: Props) {
  const [{ reader }, setUrl] = useUrlState(['reader']);
  const [version, setVersion] = useState<string | null>(null);
  const query = {
    ...(reader === undefined ? {} : { subscriber_id: reader }),
    ...(version === null ? {} : { content_version: version }),
  };
  const preview = useQuery({ ...previewIssueOptions({ path, query }), staleTime: 0 });
  return (
    <div className={classes['stack']}>
      <ReaderSelect newsletterId={path.id} reader={reader} onChange={(next) => setUrl({ reader: next })} />
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
        <MailAsRead mail={preview.data} label="The issue as mail" />
      )}
    </div>
  );
}

interface ReaderProps {
  newsletterId: string;
  reader: string | undefined;
  onChange: (reader: string | undefined) => void;
}

const FOUND = '20';
const WAIT_MS = 200;

/** Finds any active subscriber by a part of the address or name, however long the list is. */
function ReaderSelect({ newsletterId: id, reader, onChange }: ReaderProps) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), WAIT_MS);
  const chosen = useQuery({
    ...getSubscriberOptions({ path: { id, subscriberId: reader ?? '' } }),
    enabled: reader !== undefined,
  }).data;
  // The field shows the chosen address, which is no search.
  const wanted = search === chosen?.email ? '' : search;
  const people = useQuery({
    ...listSubscribersOptions({
      path: { id },
      query: { limit: FOUND, status: 'active', ...(wanted === '' ? {} : { search: wanted }) },
    }),
    placeholderData: keepPreviousData,
  });
  const found = people.data?.data ?? [];
  const shown = chosen === undefined || found.some((one) => one.id === chosen.id) ? found : [chosen, ...found];
  return (
    <Select
      label="As this reader gets it"
      description="Search by address or name."
      placeholder="An example reader"
      data={shown.map((one) => ({ value: one.id, label: one.email }))}
      value={reader ?? null}
      onChange={(next) => onChange(next ?? undefined)}
      searchValue={typed}
      onSearchChange={setTyped}
      // The server has searched, names too.
      filter={({ options }) => options}
      nothingFoundMessage={people.isFetching ? 'Searching …' : 'Nobody who is active has this'}
      searchable
      clearable
      maw={360}
    />
  );
}
