import { VisuallyHidden } from '@mantine/core';
import { Megaphone, Newspaper } from 'lucide-react';
import type { PlannedMail } from '../../api/generated/types.gen.ts';
import classes from './calendar.module.css';
import { clockAt } from './calendar-days.ts';
import { audienceOf, kindOf, stateOf, titleOf } from './planned-words.ts';

interface Props {
  item: PlannedMail;
  zone: string;
  canMove: boolean;
  onOpen: () => void;
  onDrag: (item: PlannedMail | undefined) => void;
}

/** Planned mail in a day of the grid. It opens its dialog, and can be dragged to another day. */
export function PlannedChip({ item, zone, canMove, onOpen, onDrag }: Props) {
  const { tone, label } = stateOf(item);
  const clock = clockAt(item.scheduled_for, zone);
  const rest = `${kindOf(item).toLowerCase()} to ${audienceOf(item)}, ${label.toLowerCase()}`;
  return (
    <button
      type="button"
      className={classes['chip']}
      data-tone={tone}
      title={`${titleOf(item)}, ${rest}`}
      draggable={canMove}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move';
        event.dataTransfer.setData('text/plain', item.id); // Firefox drags nothing without data
        onDrag(item);
      }}
      onDragEnd={() => onDrag(undefined)}
      onClick={onOpen}
    >
      <span className={classes['clock']}>{clock}</span>
      <span className={classes['subject']}>
        {item.type === 'issue' && <Newspaper size={12} aria-hidden="true" />}
        {item.type === 'broadcast' && <Megaphone size={12} aria-hidden="true" />}
        {titleOf(item)}
      </span>
      <span className={classes['to']} aria-hidden="true">
        {audienceOf(item)}
      </span>
      <VisuallyHidden>, {rest}</VisuallyHidden>
    </button>
  );
}
