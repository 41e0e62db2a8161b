import { Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { countBroadcastAudience } from '../../../api/generated/sdk.gen.ts';
import { errorSentence } from '../../../lib/api-error.ts';
import { useNow } from '../../../lib/use-now.ts';
import { Notice } from '../../../ui/Notice.tsx';
import { startsWords } from '../starts-words.ts';
import { FinishBy } from './FinishBy.tsx';

interface Props {
  id: string;
  /** A time of the clock: `2026-12-01T09:00`; '': none is chosen. */
  local: string;
  zone: string;
  /** At this time in the zone of each contact. */
  isLocal: boolean;
  onLocal: (isLocal: boolean) => void;
  by: string;
  onBy: (local: string) => void;
}

/** For whom the time counts, and when the last email is to have left. */
export function ScheduleOptions({ id, local, zone, isLocal, onLocal, by, onBy }: Props) {
  return (
    <>
      <Switch
        label="Send at this time in each contact’s own time zone"
        description="The broadcast then leaves over many hours, and its audience is fixed when the first contact gets it."
        checked={isLocal}
        onChange={(event) => onLocal(event.currentTarget.checked)}
      />
      {isLocal && local !== '' && <Starts id={id} local={local} zone={zone} />}
      <FinishBy zone="the same zone" value={by} onChange={onBy} />
    </>
  );
}

/** The first and the last instant for the audience of now, and how many have no zone. */
function Starts({ id, local, zone }: { id: string; local: string; zone: string }) {
  const now = useNow();
  const { data, error } = useQuery({
    queryKey: [{ _id: 'countBroadcastAudience', id, local, zone }],
    queryFn: async () => {
      const query = { local_time: `${local}:00`, timezone: zone };
      return (await countBroadcastAudience({ path: { id }, query, throwOnError: true })).data;
    },
    placeholderData: (before) => before,
    gcTime: 60_000,
  });
  if (error !== null) return <Notice tone="warn">{errorSentence(error)}</Notice>;
  if (data === undefined) return null;
  const { text, isWarning } = startsWords(data, { clock: local.slice(11), zone, now });
  return (
    <div aria-live="polite">
      <Notice tone={isWarning ? 'warn' : 'quiet'}>{text}</Notice>
    </div>
  );
}
