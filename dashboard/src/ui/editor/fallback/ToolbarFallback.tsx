import editor from '../editor.module.css';
import styles from './fallback.module.css';

/** The buttons of each group of `Toolbar.tsx`. They break into lines as it does, and the text stays in its place. */
const GROUPS = [2, 5, 5, 5];

export const ToolbarFallback = () => (
  <div className={editor['toolbar']} aria-hidden>
    {GROUPS.map((buttons, at) => (
      // oxlint-disable-next-line react/no-array-index-key
      <div key={at} className={editor['group']}>
        {Array.from({ length: buttons }, (_, index) => (
          <span key={index} className={styles['button']} />
        ))}
      </div>
    ))}
  </div>
);
