import type { ReactNode } from 'react';
import classes from './Mono.module.css';

/** Ids, keys and addresses of machines. */
export const Mono = ({ children }: { children: ReactNode }) => <code className={classes['mono']}>{children}</code>;
