import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { getTemplateOptions, listTemplatesOptions } from '../../api/generated/@tanstack/react-query.gen.ts';

interface Props {
  label: string;
  description?: ReactNode;
  value: string;
  error?: string | undefined;
  readOnly: boolean;
  clearable?: boolean;
  onChange: (id: string) => void;
}

const FOUND = '20';
const WAIT_MS = 200;

/** A template, found by its name or alias. One that was never published may be chosen, and cannot be sent yet. */
export function TemplateSelect({ value, onChange, readOnly, clearable = false, ...shown }: Props) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), WAIT_MS);
  const { data: chosen } = useQuery({ ...getTemplateOptions({ path: { id: value } }), enabled: value !== '' });
  // The field shows the chosen name, which is no search.
  const isSearch = search !== '' && search !== value && search !== chosen?.name;
  const found = useQuery({
    ...listTemplatesOptions({ query: { limit: FOUND, ...(isSearch ? { search } : {}) } }),
    placeholderData: keepPreviousData,
  });
  const others = (found.data?.data ?? []).filter(({ id }) => id !== value);
  const choices = others.map(({ id, name, published_version: version }) => ({
    value: id,
    label: version === null ? `${name} (draft)` : name,
  }));
  return (
    <Select
      {...shown}
      placeholder="Search templates"
      data={[...(value === '' ? [] : [{ value, label: chosen?.name ?? value }]), ...choices]}
      value={value === '' ? null : value}
      onChange={(next) => onChange(next ?? '')}
      searchValue={typed}
      onSearchChange={setTyped}
      // The server has searched, aliases too.
      filter={({ options }) => options}
      nothingFoundMessage={found.isFetching ? 'Searching …' : 'No template has this name'}
      readOnly={readOnly}
      searchable
      clearable={clearable && !readOnly}
      allowDeselect={false}
    />
  );
}
