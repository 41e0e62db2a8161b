import classes from './ViewLinks.module.css';

interface Props {
  label: string;
  views: readonly { label: string; href: string }[];
  /** The `href` of the view that is open. */
  current: string;
}

/** The views of one subject, each a page of its own. */
export function ViewLinks({ label, views, current }: Props) {
  return (
    <nav aria-label={label} className={classes['views']}>
      {views.map((view) => (
        <a key={view.href} href={view.href} aria-current={view.href === current ? 'page' : undefined}>
          {view.label}
        </a>
      ))}
    </nav>
  );
}
