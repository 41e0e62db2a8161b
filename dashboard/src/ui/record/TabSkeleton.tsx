import { Skeleton } from '@mantine/core';
import classes from './record.module.css';

/** While a record is read, and while a tab that is a chunk of its own is loaded. */
export function TabSkeleton() {
  return (
    <div className={classes['skeleton']}>
      {[62, 48, 70, 40].map((width) => (
        <Skeleton key={width} height={12} width={`${width}%`} radius="xl" />
      ))}
    </div>
  );
}
