import classes from './StatusBadge.module.css';

export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'quiet';

/** A state in words with a dot. The words carry the meaning, so it does not depend on seeing colours. */
export function StatusBadge({ tone, children, hollow = false }: { tone: Tone; children: string; hollow?: boolean }) {
  return (
    <span className={classes['badge']}>
      <span className={classes['dot']} data-tone={tone} data-hollow={hollow || undefined} aria-hidden="true" />
      {children}
    </span>
  );
}
