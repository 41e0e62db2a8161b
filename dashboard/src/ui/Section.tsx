import { type ReactNode, useId } from 'react';
import classes from './Section.module.css';

interface Props {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  /** The name of the place in the address, for links that jump to it. */
  anchor?: string;
  /** Without a frame, for lists and charts that have their own. */
  plain?: boolean;
}

/** A part of a page with its own heading. */
export function Section({ title, description, actions, children, anchor, plain = false }: Props) {
  const id = useId();
  return (
    <section id={anchor} className={classes['section']} aria-labelledby={id}>
      <div className={classes['head']} data-section-head>
        <div>
          <h2 id={id} className={classes['title']}>
            {title}
          </h2>
          {description !== undefined && <p className={classes['description']}>{description}</p>}
        </div>
        {actions !== undefined && <div className={classes['actions']}>{actions}</div>}
      </div>
      <div className={plain ? undefined : classes['frame']}>{children}</div>
    </section>
  );
}
