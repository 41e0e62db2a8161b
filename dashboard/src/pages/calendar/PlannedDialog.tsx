import type { PlannedMail } from '../../api/generated/types.gen.ts';
import { exactTime } from '../../lib/time.ts';
import { wallClock } from '../../lib/wall-time.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { LoadedDialog } from '../../ui/dialog/LoadedDialog.tsx';
import { ScheduleForm } from '../../ui/form/ScheduleForm.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Properties } from '../../ui/record/Properties.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import classes from './calendar.module.css';
import { audienceOf, hrefOf, kindOf, stateOf, titleOf } from './planned-words.ts';
import { useMove, useWhyNotMove } from './use-move.ts';

interface Props {
  item: PlannedMail | undefined;
  /** A time of the clock to begin with, where another than its own was asked for. */
  local: string | undefined;
  /** The zone of the calendar. */
  zone: string;
  onClose: () => void;
}

/** Planned mail: what it is, the way to its page, and another time for it. */
export function PlannedDialog({ opened, ...props }: Props & { opened: boolean }) {
  return (
    <LoadedDialog
      opened={opened}
      onClose={props.onClose}
      title={props.item === undefined ? '' : titleOf(props.item)}
      size="sm"
    >
      {props.item !== undefined && <Planned {...props} item={props.item} />}
    </LoadedDialog>
  );
}

function Planned({ item, local, zone: shownZone, onClose }: Props & { item: PlannedMail }) {
  const write = useMove({ onDone: onClose, onError: () => undefined });
  const reason = useWhyNotMove()(item);
  const { tone, label } = stateOf(item);
  const zone = local === undefined ? (item.timezone ?? shownZone) : shownZone;
  const what = (
    <>
      <Properties
        items={[
          { label: kindOf(item), value: <StatusBadge tone={tone}>{label}</StatusBadge> },
          { label: item.type === 'issue' ? 'Newsletter' : 'To', value: audienceOf(item) },
          { label: item.status === 'scheduled' ? 'Leaves' : 'Planned for', value: exactTime(item.scheduled_for) },
          ...(item.recipient_timezone
            ? [
                {
                  label: 'Time zones',
                  value: 'At this local time in each contact’s own; the time above is that of the broadcast.',
                },
              ]
            : []),
        ]}
      />
      <div className={classes['open']}>
        <ActionButton variant="default" size="xs" href={hrefOf(item)}>
          Open the {kindOf(item).toLowerCase()}
        </ActionButton>
      </div>
    </>
  );
  if (reason !== undefined) {
    return (
      <>
        {what}
        <Notice tone="quiet">{reason}</Notice>
      </>
    );
  }
  return (
    <ScheduleForm
      label="Move it to another time"
      submit="Move"
      range={item.type === 'issue' ? 'From 30 seconds to 30 days ahead.' : 'At most 365 days ahead.'}
      local={local ?? wallClock(Date.parse(item.scheduled_for), zone)}
      zone={zone}
      subject={{ issue: 'The issue', broadcast: 'The broadcast', scheduled_email: 'The email' }[item.type]}
      problem={write.error ?? undefined}
      loading={write.isPending}
      onSchedule={(time) => write.mutate({ item, ...time })}
      onClose={onClose}
    >
      {what}
    </ScheduleForm>
  );
}
