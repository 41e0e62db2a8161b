import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import classes from './Notice.module.css';
import type { Tone } from './StatusBadge.tsx';

const ICONS = { ok: CircleCheck, warn: TriangleAlert, bad: CircleAlert, info: Info, quiet: Info };

/** A sentence that stands on the page until its cause is gone; `action` is the button that helps. */
export function Notice({ tone, children, action }: { tone: Tone; children: ReactNode; action?: ReactNode }) {
  const Icon = ICONS[tone];
  return (
    <div className={classes['notice']} data-tone={tone} role={tone === 'bad' ? 'alert' : undefined}>
      <Icon size={16} aria-hidden="true" />
      <div className={classes['body']}>{children}</div>
      {action}
    </div>
  );
}
