import { SegmentedControl, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Mail } from 'lucide-react';
import { useState } from 'react';
import { listIssuesOptions, previewIssueOptions } from '../../../api/generated/@tanstack/react-query.gen.ts';
import type { Newsletter } from '../../../api/generated/types.gen.ts';
import { usePreviewView } from '../../../lib/use-preview-view.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { MailPreview } from '../../../ui/mail-preview/MailPreview.tsx';
import classes from '../newsletters.module.css';
import { SignUpFrame } from '../SignUpFrame.tsx';

type Shown = 'page' | 'line' | 'mail';

const SHOWN = [
  { value: 'page', label: 'Sign-up form' },
  { value: 'line', label: 'In one line' },
  { value: 'mail', label: 'Mail' },
];

/** The form and the mail as readers get them, with the settings that are saved. */
export function SettingsPreview({ newsletter, isDirty }: { newsletter: Newsletter; isDirty: boolean }) {
  const [shown, setShown] = useState<Shown>('page');
  return (
    <aside className={classes['preview']} aria-label="Preview">
      <SegmentedControl
        aria-label="Preview of"
        size="xs"
        fullWidth
        mb="xs"
        data={SHOWN}
        value={shown}
        onChange={(next) => setShown(next as Shown)} // one of SHOWN
      />
      {shown === 'mail' ? (
        <LastMail newsletter={newsletter} />
      ) : (
        <SignUpFrame newsletter={newsletter} layout={shown === 'line' ? 'line' : 'full'} theme="light" />
      )}
      <Text size="xs" c="dimmed" mt="xs" role="status">
        {isDirty ? 'Your changes are shown here once they are saved.' : 'This is how readers see it now.'}
      </Text>
    </aside>
  );
}

/** The newest issue, with its footer and logo. */
function LastMail({ newsletter: { id } }: { newsletter: Newsletter }) {
  const [view, setView] = usePreviewView();
  const newest = useQuery(listIssuesOptions({ path: { id }, query: { limit: '1' } }));
  const issueId = newest.data?.data[0]?.id ?? '';
  const preview = useQuery({ ...previewIssueOptions({ path: { id, issueId } }), enabled: issueId !== '' });
  if (newest.data?.data.length === 0) {
    return (
      <EmptyState icon={<Mail size={20} />} title="No issue to show yet">
        The newest issue is shown here with its logo, footer and postal address.
      </EmptyState>
    );
  }
  const error = newest.error ?? preview.error;
  if (error !== null) return <ErrorState error={error} />;
  if (preview.data === undefined) return null;
  return <MailPreview html={preview.data.html} label="The newest issue" view={view} onViewChange={setView} />;
}
