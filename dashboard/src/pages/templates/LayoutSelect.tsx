import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { listTemplatesOptions } from '../../api/generated/@tanstack/react-query.gen.ts';
import type { TemplateSummary } from '../../api/generated/types.gen.ts';

interface Props {
  /** The template that it is for, which cannot be its own layout. */
  ownId: string;
  value: string;
  error: ReactNode;
  readOnly: boolean;
  onChange: (value: string) => void;
}

const FOUND = '20';
const WAIT_MS = 200;

const nameOf = ({ id, alias }: TemplateSummary): string => alias ?? id;
const labelOf = (one: TemplateSummary): string => (one.alias === null ? one.name : `${one.name} (${one.alias})`);

/** The template around this one, found by its name or alias among those that are published. */
export function LayoutSelect({ ownId, value, error, readOnly, onChange }: Props) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), WAIT_MS);
  const [shown, setShown] = useState<string>();
  // The field shows the chosen name, which is no search.
  const wanted = search === shown || search === value ? '' : search;
  const found = useQuery({
    ...listTemplatesOptions({
      query: { limit: FOUND, status: 'published', ...(wanted === '' ? {} : { search: wanted }) },
    }),
    placeholderData: keepPreviousData,
  });
  const choices = (found.data?.data ?? [])
    .filter(({ id }) => id !== ownId)
    .map((one) => ({ value: one.id === value ? one.id : nameOf(one), label: labelOf(one) }));
  const isListed = value === '' || choices.some((choice) => choice.value === value);
  return (
    <Select
      label="Layout"
      description="A published template with a place {{ content }}."
      placeholder="None"
      data={isListed ? choices : [{ value, label: shown ?? value }, ...choices]}
      value={value === '' ? null : value}
      onChange={(next, option) => {
        setShown(option?.label);
        onChange(next ?? '');
      }}
      searchValue={typed}
      onSearchChange={setTyped}
      // The server has searched, aliases too.
      filter={({ options }) => options}
      nothingFoundMessage={found.isFetching ? 'Searching …' : 'No published template has this name'}
      error={error}
      readOnly={readOnly}
      searchable
      clearable={!readOnly}
    />
  );
}
