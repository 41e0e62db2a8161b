import { CopyButton } from '../CopyButton.tsx';
import classes from './code.module.css';

/** JSON with its parts set apart by colour. Values are text nodes, so nothing in them is ever markup. */
export function JsonView({ value, label, maxHeight }: { value: unknown; label: string; maxHeight?: number }) {
  const text = JSON.stringify(value, null, 2) ?? 'undefined';
  return (
    <figure className={classes['block']} aria-label={label}>
      <pre className={classes['code']} style={maxHeight === undefined ? undefined : { maxHeight }} tabIndex={0}>
        {tokens(text).map(({ kind, text: part }, index) => (
          // The text never changes in place, so the position names a part.
          <span key={index} data-kind={kind}>
            {part}
          </span>
        ))}
      </pre>
      <div className={classes['copy']}>
        <CopyButton value={text} label={`Copy ${label}`} />
      </div>
    </figure>
  );
}

type Kind = 'key' | 'string' | 'number' | 'word' | 'plain';

const TOKEN = /("(?:\\.|[^"\\])*")(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|\b(true|false|null)\b/g;

function tokens(text: string): { kind: Kind; text: string }[] {
  const found: { kind: Kind; text: string }[] = [];
  let at = 0;
  for (const match of text.matchAll(TOKEN)) {
    if (match.index > at) found.push({ kind: 'plain', text: text.slice(at, match.index) });
    const [whole, string, colon, number] = match;
    if (string !== undefined) {
      found.push({ kind: colon === undefined ? 'string' : 'key', text: string });
      if (colon !== undefined) found.push({ kind: 'plain', text: colon });
    } else found.push({ kind: number === undefined ? 'word' : 'number', text: whole });
    at = match.index + whole.length;
  }
  if (at < text.length) found.push({ kind: 'plain', text: text.slice(at) });
  return found;
}
