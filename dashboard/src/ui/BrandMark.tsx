import classes from './BrandMark.module.css';

/** A post horn: the ring of its tube, and the bell. */
export function BrandMark({ large = false }: { large?: boolean }) {
  return (
    <span className={classes['brand']} data-large={large || undefined}>
      <svg viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="#1b1b21" />
        <g fill="none" stroke="#ffc53d" strokeWidth="2.4" strokeLinecap="round" strokeLinejoin="round">
          <circle cx="13" cy="17.5" r="5.5" />
          <path d="M7 12h10.500c3.500 0 5.500-1.700 7.500-4.500v11c-2-2.800-4-3.500-6.500-3.500" />
        </g>
      </svg>
      Posthorn
    </span>
  );
}
