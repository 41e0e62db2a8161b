import { type ComponentType, type ReactNode, useState } from 'react';
import { lazyAfterPaint } from '../../../lib/lazy-part.tsx';
import styles from './fallback.module.css';
import { EarlyPress } from './early-press.ts';

export interface WithPress {
  pressed: EarlyPress;
}

/**
 * An editor in a chunk of its own, whose text `Fallback` shows until it is there. Somebody who presses that text wants
 * to write there: the editor is told, and begins at that place.
 */
export function laterEditor<P extends object>(
  load: () => Promise<ComponentType<P & WithPress>>,
  Fallback: ComponentType<P>,
): (props: P) => ReactNode {
  const Text = ({ pressed, ...props }: P & WithPress) => (
    <div
      className={styles['waiting']}
      onPointerUp={({ currentTarget, clientX, clientY }) => {
        const { left, top } = currentTarget.getBoundingClientRect();
        pressed.note({ x: clientX - left, y: clientY - top });
      }}
    >
      <Fallback {...(props as unknown as P)} /> {/* all but what was added */}
    </div>
  );
  const Editor = lazyAfterPaint<P & WithPress>(load, Text);
  return function LaterEditor(props: P) {
    const [pressed] = useState(() => new EarlyPress());
    return <Editor {...props} pressed={pressed} />;
  };
}
