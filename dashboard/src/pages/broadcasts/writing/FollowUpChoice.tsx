import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getBroadcastOptions, listBroadcastsOptions } from '../../../api/generated/@tanstack/react-query.gen.ts';
import { shownTitle } from '../broadcast-state.ts';

const FOUND = '20';
const WAIT_MS = 200;

interface Props {
  /** Of the broadcast that is written: it cannot follow itself. */
  id: string;
  rootId: string | null;
  readOnly: boolean;
  onChange: (rootId: string | null) => void;
}

/** The broadcast that this one follows, by its name. An issue is named by the API alone. */
export function FollowUpChoice({ id, rootId, readOnly, onChange }: Props) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), WAIT_MS);
  const root = useQuery({
    ...getBroadcastOptions({ path: { id: rootId ?? '' } }),
    enabled: rootId !== null,
    retry: false,
  }).data;
  const named = rootId === null ? null : { value: rootId, label: root === undefined ? 'An issue' : shownTitle(root) };
  const wanted = search === named?.label ? '' : search;
  const sent = useQuery({
    ...listBroadcastsOptions({ query: { limit: FOUND, status: 'sent', ...(wanted === '' ? {} : { search: wanted }) } }),
    placeholderData: keepPreviousData,
  });
  const found = (sent.data?.data ?? [])
    .filter((one) => one.id !== id && one.id !== rootId)
    .map((one) => ({ value: one.id, label: shownTitle(one) }));
  return (
    <Select
      label="Follow-up of"
      description="Nobody gets two follow-ups of one broadcast. The audience says who gets this one."
      placeholder="No other broadcast"
      data={named === null ? found : [named, ...found]}
      value={rootId}
      onChange={onChange}
      searchValue={typed}
      onSearchChange={setTyped}
      // The server has searched.
      filter={({ options }) => options}
      nothingFoundMessage={sent.isFetching ? 'Searching …' : 'No broadcast that was sent has this'}
      searchable
      clearable
      readOnly={readOnly}
    />
  );
}
