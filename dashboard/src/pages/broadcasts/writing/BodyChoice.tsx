import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getTemplateOptions, listTemplatesOptions } from '../../../api/generated/@tanstack/react-query.gen.ts';
import { pb } from '../../../lib/paths.ts';
import { Notice } from '../../../ui/Notice.tsx';

const FOUND = '20';
const WAIT_MS = 200;

interface Props {
  templateId: string | null;
  readOnly: boolean;
  onChange: (templateId: string | null) => void;
}

/** A text of its own, or a published template in its place. */
export function BodyChoice({ templateId, readOnly, onChange }: Props) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), WAIT_MS);
  const chosen = useQuery({
    ...getTemplateOptions({ path: { id: templateId ?? '' } }),
    enabled: templateId !== null,
  }).data;
  const wanted = search === chosen?.name ? '' : search;
  const templates = useQuery({
    ...listTemplatesOptions({
      query: { limit: FOUND, status: 'published', ...(wanted === '' ? {} : { search: wanted }) },
    }),
    placeholderData: keepPreviousData,
  });
  const found = templates.data?.data ?? [];
  const shown = chosen === undefined || found.some(({ id }) => id === chosen.id) ? found : [chosen, ...found];
  return (
    <>
      <Select
        label="Text"
        description="Write it here, or use a template that is published."
        placeholder="Written here"
        data={shown.map(({ id, name }) => ({ value: id, label: name }))}
        value={templateId}
        onChange={onChange}
        searchValue={typed}
        onSearchChange={setTyped}
        // The server has searched, aliases too.
        filter={({ options }) => options}
        nothingFoundMessage={templates.isFetching ? 'Searching …' : 'No published template has this'}
        searchable
        clearable
        readOnly={readOnly}
      />
      {templateId !== null && (
        <Notice tone="info">
          The text is that of <a href={pb.template(templateId)}>{chosen?.name ?? 'its template'}</a>, in the version
          that is published when it is sent. Its sender, subject and preheader count where this broadcast has none.
        </Notice>
      )}
    </>
  );
}
