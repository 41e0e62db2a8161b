import { Select } from '@mantine/core';
import { useSession } from '../../../api/session.ts';
import classes from '../broadcasts.module.css';
import type { Options } from './draft.ts';
import { FollowUpChoice } from './FollowUpChoice.tsx';
import { LateText } from './LateText.tsx';
import { readReplyTo, readTags, readVariables, tagsText, variablesText } from './option-texts.ts';

interface Props {
  id: string;
  options: Options;
  readOnly: boolean;
  onChange: (options: Options) => void;
}

/** `usual`: the setting of the workspace; undefined until it is known. */
const trackingWith = (usual: boolean | undefined) => [
  {
    value: 'null',
    label: `As the workspace is set${usual === undefined ? '' : usual ? ': counted' : ': not counted'}`,
  },
  { value: 'true', label: 'Count them' },
  { value: 'false', label: 'Do not count them' },
];
const readTracking = (value: string | null): boolean | null => (value === null ? null : JSON.parse(value));

/** The fields that most broadcasts leave as they are. */
export function OptionsFields({ id, options, readOnly, onChange }: Props) {
  const { workspace } = useSession();
  const { replyTo, tags, trackOpens, trackClicks, variables, followUpOf } = options;
  const change = (part: Partial<Options>) => onChange({ ...options, ...part });
  return (
    <div className={classes['stack']}>
      <LateText
        label="Reply to"
        description="Addresses with commas between them. Left empty: the sender."
        value={replyTo.join(', ')}
        readOnly={readOnly}
        read={readReplyTo}
        onChange={(next) => change({ replyTo: next })}
      />
      <FollowUpChoice
        id={id}
        rootId={followUpOf}
        readOnly={readOnly}
        onChange={(next) => change({ followUpOf: next })}
      />
      <Select
        label="Opens"
        data={trackingWith(workspace?.track_opens)}
        value={String(trackOpens)}
        onChange={(next) => change({ trackOpens: readTracking(next) })}
        allowDeselect={false}
        readOnly={readOnly}
      />
      <Select
        label="Clicks"
        data={trackingWith(workspace?.track_clicks)}
        value={String(trackClicks)}
        onChange={(next) => change({ trackClicks: readTracking(next) })}
        allowDeselect={false}
        readOnly={readOnly}
      />
      <LateText
        label="Labels"
        description="To filter and count by."
        placeholder="campaign=fall, kind=offer"
        value={tagsText(tags)}
        readOnly={readOnly}
        read={readTags}
        onChange={(next) => change({ tags: next })}
      />
      <LateText
        label="Variables"
        description="JSON, the same for everybody. Fields of a person take precedence."
        placeholder={'{"discount": 20}'}
        value={variablesText(variables)}
        readOnly={readOnly}
        isLong
        read={readVariables}
        onChange={(next) => change({ variables: next })}
      />
    </div>
  );
}
