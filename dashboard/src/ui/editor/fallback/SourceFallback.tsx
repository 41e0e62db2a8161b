import editor from '../editor.module.css';
import styles from './fallback.module.css';

/** More is below the end of what its frame shows. */
const SHOWN_MAX = 20_000;

/** HTML where it will stand, before there is an editor that it can be written in. */
export function SourceFallback({ value, label }: { value: string; label: string }) {
  const digits = String(value.split('\n').length).length;
  return (
    <div className={editor['source']} role="group" aria-busy aria-label={`${label}, being loaded`}>
      <pre className={styles['source']} style={{ '--digits': `${digits}ch` } as React.CSSProperties}>
        {value.slice(0, SHOWN_MAX)}
      </pre>
    </div>
  );
}
