import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { getTemplateOptions, listTemplatesOptions } from '../../../api/generated/@tanstack/react-query.gen.ts';
import type { TemplateSummary } from '../../../api/generated/types.gen.ts';

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

type Named = Pick<TemplateSummary, 'id' | 'name' | 'alias'>;

const labelOf = ({ name, alias }: Named): string => (alias === null ? name : `${name} (${alias})`);

/** The template around this one, found by its name or alias among those that are published. */
export function LayoutSelect({ ownId, value, error, readOnly, onChange }: Props) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), WAIT_MS);
  const { data: chosen } = useQuery({ ...getTemplateOptions({ path: { id: value } }), enabled: value !== '' });
  // The field shows the chosen name, which is no search.
  const isSearch = search !== value && (chosen === undefined || search !== labelOf(chosen));
  const found = useQuery({
    ...listTemplatesOptions({
      query: { limit: FOUND, status: 'published', ...(isSearch && search !== '' ? { search } : {}) },
    }),
    placeholderData: keepPreviousData,
  });
  const others = (found.data?.data ?? []).filter(({ id }) => id !== ownId && id !== chosen?.id);
  const choices = others.map((one) => ({ value: one.alias ?? one.id, label: labelOf(one) }));
  const current = value === '' ? [] : [{ value, label: chosen === undefined ? value : labelOf(chosen) }];
  return (
    <Select
      label="Layout"
      description="A published template with a place {{ content }}."
      placeholder="None"
      data={[...current, ...choices.filter((choice) => choice.value !== value)]}
      value={value === '' ? null : value}
      onChange={(next) => onChange(next ?? '')}
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
