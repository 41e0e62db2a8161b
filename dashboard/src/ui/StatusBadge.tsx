import { breakable } from './breakable.tsx';
import classes from './StatusBadge.module.css';

export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'quiet';

interface Props {
  tone: Tone;
  children: string;
  hollow?: boolean;
  /** A name, which takes as many lines as it needs, and breaks after its dots. Other words end in an ellipsis. */
  isWhole?: boolean;
}

/** A state in words with a dot. The words carry the meaning, so it does not depend on seeing colours. */
export function StatusBadge({ tone, children, hollow = false, isWhole = false }: Props) {
  return (
    <span className={classes['badge']}>
      <span className={classes['dot']} data-tone={tone} data-hollow={hollow || undefined} aria-hidden="true" />
      <span className={classes[isWhole ? 'whole' : 'words']}>
        {isWhole ? breakable(children, /(?<=\.)/) : children}
      </span>
    </span>
  );
}
