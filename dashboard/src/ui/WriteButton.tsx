import type { ComponentProps } from 'react';
import type { Write } from '../lib/write.ts';
import { ActionButton } from './ActionButton.tsx';

type Props = Omit<ComponentProps<typeof ActionButton>, 'loading' | 'onClick'> & { write: Write };

/** A button that writes at once. */
export function WriteButton({ write, ...props }: Props) {
  return <ActionButton {...props} loading={write.isPending} onClick={() => write.mutate(undefined)} />;
}
