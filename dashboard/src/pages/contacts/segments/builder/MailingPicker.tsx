import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { allNewsletters } from '../../../../api/all-newsletters.ts';
import { sentBroadcasts } from '../../../../api/audience.ts';
import { listIssuesOptions } from '../../../../api/generated/@tanstack/react-query.gen.ts';
import { shownSubject } from '../../../../lib/blocks/shown-subject.ts';
import classes from './builder.module.css';

interface Props {
  of: string;
  id: string;
  onChange: (id: string | null) => void;
  readOnly: boolean;
}

const BROADCASTS = 'broadcasts';
const ISSUES = '100';

/** Chooses a broadcast or an issue: first whether it is one of the broadcasts, or the newsletter of the issue. */
export function MailingPicker({ of, id, onChange, readOnly }: Props) {
  const [source, setSource] = useState(BROADCASTS);
  const { data: newsletters = [] } = useQuery(allNewsletters);
  const { data: broadcasts = [] } = useQuery(sentBroadcasts);
  const { data: issues } = useQuery({
    ...listIssuesOptions({ path: { id: source }, query: { limit: ISSUES } }),
    enabled: source !== BROADCASTS,
  });
  const isIssue = source !== BROADCASTS;
  const options = isIssue
    ? (issues?.data ?? []).map((issue) => ({ value: issue.id, label: shownSubject(issue.subject) }))
    : broadcasts.map(({ id: value, name: label }) => ({ value, label }));
  const isOther = id !== '' && !options.some(({ value }) => value === id);
  const named = broadcasts.find((one) => one.id === id)?.name ?? `Mailing ${id}`;
  const shared = { size: 'xs' as const, readOnly, allowDeselect: false, searchable: true };
  return (
    <>
      {newsletters.length > 0 && (
        <Select
          {...shared}
          className={classes['value']}
          aria-label={`Broadcasts or newsletter ${of}`}
          data={[
            { value: BROADCASTS, label: 'Broadcasts' },
            ...newsletters.map((one) => ({ value: one.id, label: one.name })),
          ]}
          value={source}
          onChange={(next) => setSource(next ?? BROADCASTS)}
        />
      )}
      <Select
        {...shared}
        className={classes['value']}
        aria-label={`${isIssue ? 'Issue' : 'Broadcast'} ${of}`}
        placeholder={isIssue ? 'Choose an issue' : 'Choose a broadcast'}
        nothingFoundMessage={isIssue ? 'No issue has this' : 'No broadcast that was sent has this'}
        data={isOther ? [{ value: id, label: named }, ...options] : options}
        value={id === '' ? null : id}
        onChange={onChange}
      />
    </>
  );
}
