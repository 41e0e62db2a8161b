import { type ReactNode, useEffect } from 'react';
import { breakable } from './breakable.tsx';
import classes from './PageHeader.module.css';

export interface Crumb {
  label: string;
  href: string;
}

interface Props {
  title: string;
  /** A sentence on what the page is for; leave it out where the title says it. */
  description?: ReactNode;
  crumbs?: readonly Crumb[];
  badge?: ReactNode;
  actions?: ReactNode;
}

/** A longer title may be cut: three lines of it are shown. */
const LONG = 100;

/** The head of every page. The shell moves the focus to its title after a navigation. */
export function PageHeader({ title, description, crumbs = [], badge, actions }: Props) {
  useEffect(() => {
    document.title = `${title} · Posthorn`;
  }, [title]);
  return (
    <header className={classes['header']}>
      <div className={classes['words']}>
        {crumbs.length > 0 && (
          <nav aria-label="Breadcrumb" className={classes['crumbs']}>
            {crumbs.map(({ label, href }, index) => (
              <span key={href}>
                {index > 0 && <span aria-hidden="true">/</span>}
                <a href={href}>{label}</a>
              </span>
            ))}
          </nav>
        )}
        <div className={classes['line']}>
          <h1
            className={classes['title']}
            tabIndex={-1}
            data-page-title
            title={title.length > LONG ? title : undefined}
          >
            {/* A path breaks behind a part of it, so that its first part stands beside the word before. */}
            {breakable(title, /(?<=\/)/)}
          </h1>
          {/* A state that changes while somebody waits is announced. */}
          <span role="status">{badge}</span>
        </div>
        {description !== undefined && <p className={classes['description']}>{description}</p>}
      </div>
      {actions !== undefined && <div className={classes['actions']}>{actions}</div>}
    </header>
  );
}
