import type { ReactNode } from 'react';
import { Notice } from './Notice.tsx';
import { PageHeader } from './PageHeader.tsx';

/** A page that the person may not see: its title, and the sentence that says who may. */
export function NotForRole({ title, description, reason }: { title: string; description: ReactNode; reason: string }) {
  return (
    <>
      <PageHeader title={title} description={description} />
      <Notice tone="info">{reason}</Notice>
    </>
  );
}
