import { MultiSelect, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { allNewsletters } from '../../../api/all-newsletters.ts';
import { allLists, allSegments } from '../../../api/audience.ts';
import type { BroadcastAudience } from '../../../api/generated/types.gen.ts';
import { counted, formatCount } from '../../../lib/number.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import classes from '../broadcasts.module.css';

interface Props {
  audience: BroadcastAudience;
  readOnly: boolean;
  onChange: (audience: BroadcastAudience) => void;
}

/** Everybody on one of the lists or in the segment, or a newsletter; and nobody on a list that is left out. */
export function AudienceFields({ audience, readOnly, onChange }: Props) {
  const lists = useQuery(allLists);
  const segments = useQuery(allSegments);
  const newsletters = useQuery(allNewsletters);
  const error = lists.error ?? segments.error;
  const { list_ids: listIds, segment_id: segmentId, contact_ids: contactIds, exclude_list_ids: excluded } = audience;
  const newsletterId = audience.newsletter_id ?? null;
  const choices = (lists.data ?? []).map(({ id, name, contact_count: count }) => ({
    value: id,
    label: `${name} (${formatCount(count)})`,
  }));
  const none = lists.data?.length === 0 ? 'There is no list yet' : 'No list has this name';
  const change = (part: Partial<BroadcastAudience>) => onChange({ ...audience, ...part });
  const toNewsletter = (id: string | null) =>
    change(
      id === null ? { newsletter_id: null } : { newsletter_id: id, list_ids: [], segment_id: null, contact_ids: [] },
    );
  return (
    <div className={classes['stack']}>
      {error !== null && <ErrorState error={error} onRetry={() => void lists.refetch()} />}
      <Select
        label="Newsletter"
        description="Its active subscribers, with its links to unsubscribe, instead of contacts."
        placeholder="None: to contacts"
        data={(newsletters.data ?? []).map(({ id, name, subscriber_count: count }) => ({
          value: id,
          label: `${name} (${formatCount(count)})`,
        }))}
        value={newsletterId}
        onChange={toNewsletter}
        nothingFoundMessage={
          newsletters.data?.length === 0 ? 'There is no newsletter yet' : 'No newsletter has this name'
        }
        searchable
        clearable
        readOnly={readOnly}
      />
      {newsletterId === null && (
        <>
          <MultiSelect
            label="Lists"
            placeholder={listIds.length === 0 ? 'Choose lists' : ''}
            data={choices}
            value={listIds}
            onChange={(next) => change({ list_ids: next })}
            nothingFoundMessage={none}
            classNames={{ inputField: classes['search'] ?? '' }}
            searchable
            readOnly={readOnly}
          />
          <Select
            label="Segment"
            placeholder="None"
            data={(segments.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            value={segmentId}
            onChange={(next) => change({ segment_id: next })}
            nothingFoundMessage={segments.data?.length === 0 ? 'There is no segment yet' : 'No segment has this name'}
            searchable
            clearable
            readOnly={readOnly}
          />
        </>
      )}
      <MultiSelect
        label="But nobody on"
        placeholder={excluded.length === 0 ? 'No list' : ''}
        data={choices}
        value={excluded}
        onChange={(next) => change({ exclude_list_ids: next })}
        nothingFoundMessage={none}
        classNames={{ inputField: classes['search'] ?? '' }}
        searchable
        readOnly={readOnly}
      />
      {contactIds.length > 0 && (
        <div className={classes['named']}>
          <span>And {counted(contactIds.length, 'contact')} named by the API.</span>
          {!readOnly && (
            <ActionButton variant="subtle" size="compact-xs" onClick={() => change({ contact_ids: [] })}>
              Leave them out
            </ActionButton>
          )}
        </div>
      )}
    </div>
  );
}
