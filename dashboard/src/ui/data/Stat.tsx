import type { ReactNode } from 'react';
import classes from './Stat.module.css';

/** Keeps the line of a hint free, where others in the row have one; nobody hears it. */
export const NO_HINT = '\u00a0';

interface Props {
  label: string;
  value: string;
  /** The exact number where `value` is short, or what it is a share of. */
  hint?: ReactNode;
  /** The emails or people that the number counts. */
  href?: string;
  tone?: 'bad' | 'warn';
}

/** One number with its name; part of a `StatRow`. */
export function Stat({ label, value, hint, href, tone }: Props) {
  const number = (
    <span className={classes['value']} data-tone={tone}>
      {value}
    </span>
  );
  return (
    <div className={classes['stat']}>
      <dt className={classes['label']}>{label}</dt>
      <dd>
        {href === undefined ? (
          number
        ) : (
          <a className={classes['open']} href={href} aria-label={`${label}: ${value}`}>
            {number}
          </a>
        )}
      </dd>
      {hint !== undefined && (
        <dd className={classes['hint']} aria-hidden={hint === NO_HINT || undefined}>
          {hint}
        </dd>
      )}
    </div>
  );
}

export function StatRow({ children }: { children: ReactNode }) {
  return <dl className={classes['row']}>{children}</dl>;
}
