import { Building2 } from 'lucide-react';
import { EmptyState } from './EmptyState.tsx';
import { PageHeader } from './PageHeader.tsx';

/** In place of a page about a workspace, for a person who is in none. */
export const NoWorkspace = ({ title }: { title: string }) => (
  <>
    <PageHeader title={title} />
    <EmptyState icon={<Building2 size={20} />} title="You are in no workspace">
      Somebody who manages a workspace can invite you.
    </EmptyState>
  </>
);
