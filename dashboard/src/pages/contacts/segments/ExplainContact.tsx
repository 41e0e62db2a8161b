import { Skeleton, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Check, X } from 'lucide-react';
import { useState } from 'react';
import { explainSegmentOptions } from '../../../api/generated/@tanstack/react-query.gen.ts';
import type { Segment, SegmentExplanation } from '../../../api/generated/types.gen.ts';
import { withQuery } from '../../../lib/curl.ts';
import { pb } from '../../../lib/paths.ts';
import { useUrlState } from '../../../lib/use-url-state.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { CurlButton } from '../../../ui/code/CurlButton.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { conditionWords } from './builder/filter-fields.ts';
import { type AllNames, useNames } from './builder/use-names.ts';
import classes from './segments.module.css';

/** For one contact, which conditions of a segment hold and which do not. */
export function ExplainContact({ segment: { id, filter } }: { segment: Segment }) {
  const [{ contact }, setUrl] = useUrlState(['contact']);
  const [typed, setTyped] = useState(contact ?? '');
  const { names } = useNames();
  const { data, error } = useQuery({
    ...explainSegmentOptions({ path: { id }, query: { contact: contact ?? '' } }),
    enabled: contact !== undefined,
    retry: false,
    staleTime: 0,
  });
  return (
    <div className={classes['explain']}>
      <form
        className={classes['ask']}
        aria-label="Explain a contact"
        onSubmit={(event) => {
          event.preventDefault();
          setUrl({ contact: typed.trim() });
        }}
      >
        <TextInput
          className={classes['address']}
          label="Address or id of a contact"
          placeholder="ada@example.com"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <ActionButton type="submit" disabledReason={typed.trim() === '' ? 'Enter an address first.' : undefined}>
          View the reasons
        </ActionButton>
        {contact !== undefined && (
          <CurlButton call={{ method: 'GET', path: withQuery(`/v1/segments/${id}/explain`, { contact }) }} />
        )}
      </form>
      {contact !== undefined && error !== null && <ErrorState error={error} />}
      {contact !== undefined && error === null && (data === undefined || names === undefined) && (
        <Skeleton height={120} />
      )}
      {data !== undefined && names !== undefined && error === null && (
        <Explained told={data} match={filter.match} names={names} />
      )}
    </div>
  );
}

interface ExplainedProps {
  told: SegmentExplanation;
  match: Segment['filter']['match'];
  names: AllNames;
}

function Explained({ told, match, names }: ExplainedProps) {
  return (
    <div role="status">
      <Notice tone={told.matches ? 'ok' : 'warn'} action={<a href={pb.contact(told.contact_id)}>The contact</a>}>
        {told.matches ? 'This contact is in the segment.' : 'This contact is not in the segment.'}{' '}
        {match === 'all' ? 'All conditions must hold.' : 'One of the conditions must hold.'}
      </Notice>
      <ul className={classes['conditions']} aria-label="Conditions">
        {told.conditions.map(({ at, match: ofGroup, matches, ...condition }) => (
          <li
            key={at}
            className={classes['explained']}
            data-group={ofGroup !== undefined || undefined}
            style={{ paddingLeft: (depthOf(at) - 1) * 24 }}
          >
            <span className={classes['mark']} data-holds={matches || undefined}>
              {matches ? <Check size={14} aria-hidden="true" /> : <X size={14} aria-hidden="true" />}
            </span>
            <span className={classes['words']}>
              {ofGroup === undefined
                ? conditionWords(condition, names)
                : ofGroup === 'all'
                  ? 'All of these hold'
                  : 'At least one of these holds'}
            </span>
            <span className={classes['holds']}>{matches ? 'Holds' : 'Does not hold'}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** `filter` is 0 deep, `filter.conditions[1].conditions[0]` is 2. */
const depthOf = (at: string): number => at.split('.conditions[').length - 1;
