import { CopyButton } from '../CopyButton.tsx';
import classes from './code.module.css';

interface Props {
  code: string;
  label: string;
  /** Wraps long lines; otherwise the block scrolls sideways. */
  wrap?: boolean;
  maxHeight?: number;
}

/** Text to read and copy, byte for byte. */
export function CodeBlock({ code, label, wrap = false, maxHeight }: Props) {
  return (
    <figure className={classes['block']} aria-label={label}>
      <pre
        className={classes['code']}
        data-wrap={wrap || undefined}
        style={maxHeight === undefined ? undefined : { maxHeight }}
        // A block that scrolls must be reachable by keyboard.
        tabIndex={0}
      >
        {code}
      </pre>
      <div className={classes['copy']}>
        <CopyButton value={code} label={`Copy ${label}`} />
      </div>
    </figure>
  );
}
