import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { allNewsletters } from '../../../../api/all-newsletters.ts';
import { listIssuesOptions } from '../../../../api/generated/@tanstack/react-query.gen.ts';
import { shownSubject } from '../../../../lib/blocks/shown-subject.ts';
import classes from './builder.module.css';

interface Props {
  of: string;
  id: string;
  onChange: (id: string | null) => void;
  readOnly: boolean;
}

const ISSUES = '100';

/** Chooses an issue: first its newsletter, and of that one of its newest hundred. */
export function IssuePicker({ of, id, onChange, readOnly }: Props) {
  const [newsletterId, setNewsletterId] = useState<string | null>(null);
  const { data: newsletters = [] } = useQuery(allNewsletters);
  const from = newsletterId ?? (newsletters.length === 1 ? (newsletters[0]?.id ?? null) : null);
  const { data: issues } = useQuery({
    ...listIssuesOptions({ path: { id: from ?? '' }, query: { limit: ISSUES } }),
    enabled: from !== null,
  });
  const options = (issues?.data ?? []).map((issue) => ({ value: issue.id, label: shownSubject(issue.subject) }));
  const isOther = id !== '' && !options.some(({ value }) => value === id);
  const shared = { size: 'xs' as const, readOnly, allowDeselect: false, searchable: true };
  return (
    <>
      {newsletters.length > 1 && (
        <Select
          {...shared}
          className={classes['value']}
          aria-label={`Newsletter ${of}`}
          placeholder="Newsletter"
          data={newsletters.map((one) => ({ value: one.id, label: one.name }))}
          value={from}
          onChange={setNewsletterId}
        />
      )}
      <Select
        {...shared}
        className={classes['value']}
        aria-label={`Issue ${of}`}
        placeholder={from === null ? 'Choose a newsletter first' : 'Choose an issue'}
        data={isOther ? [{ value: id, label: `Issue ${id}` }, ...options] : options}
        value={id === '' ? null : id}
        onChange={onChange}
      />
    </>
  );
}
