import { SegmentedControl, Skeleton, Text } from '@mantine/core';
import { useDebouncedValue, useMediaQuery } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { previewNewsletter } from '../../../api/generated/sdk.gen.ts';
import type { Newsletter, NewsletterPreview, UpdateNewsletterRequest } from '../../../api/generated/types.gen.ts';
import { errorSentence } from '../../../lib/api-error.ts';
import { usePreviewView } from '../../../lib/use-preview-view.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { MailPreview } from '../../../ui/mail-preview/MailPreview.tsx';
import classes from '../newsletters.module.css';
import { AllPreviews } from './AllPreviews.tsx';

const SHOWN: readonly { value: keyof NewsletterPreview; label: string }[] = [
  { value: 'page', label: 'Page' },
  { value: 'embed', label: 'Form' },
  { value: 'embed_line', label: 'In one line' },
  { value: 'mail', label: 'Mail' },
];

/** Below this width they would be too small to be read beside the form, and stand in tabs. */
const WIDE = '(min-width: 1280px)';

/** Somebody who types is not asked about at each letter. */
const PAUSE_MS = 400;

/** The pages and the mail as readers would get them, with the changes that are not saved yet. */
export function SettingsPreview({ newsletter, change }: { newsletter: Newsletter; change: UpdateNewsletterRequest }) {
  const { id, updated_at } = newsletter;
  const isWide = useMediaQuery(WIDE, false, { getInitialValueInEffect: false });
  // Compared as text: the object is another one each time.
  const [asked] = useDebouncedValue(JSON.stringify(change), PAUSE_MS);
  const { data, error } = useQuery({
    queryKey: [{ _id: 'previewNewsletter' }, id, updated_at, asked],
    queryFn: async ({ signal }) => {
      const body = JSON.parse(asked) as UpdateNewsletterRequest; // as it was written above
      return (await previewNewsletter({ path: { id }, body, signal, throwOnError: true })).data;
    },
    placeholderData: keepPreviousData,
  });
  const isDirty = Object.keys(change).length > 0;
  return (
    <aside className={classes['preview']} aria-label="Preview">
      {data !== undefined && (isWide ? <AllPreviews preview={data} /> : <OnePreview preview={data} />)}
      {data === undefined && (error === null ? <Skeleton height={320} /> : <ErrorState error={error} />)}
      <Text size="xs" c="dimmed" mt="xs" role="status">
        {isDirty
          ? error === null
            ? 'This is how readers see it once you save.'
            : `The last change is not shown: ${errorSentence(error)}`
          : 'This is how readers see it now.'}
      </Text>
    </aside>
  );
}

function OnePreview({ preview }: { preview: NewsletterPreview }) {
  const [shown, setShown] = useState<keyof NewsletterPreview>('page');
  const [view, setView] = usePreviewView();
  return (
    <>
      <SegmentedControl
        aria-label="Preview of"
        size="xs"
        fullWidth
        mb="xs"
        data={[...SHOWN]}
        value={shown}
        onChange={(next) => setShown(next as keyof NewsletterPreview)} // one of SHOWN
      />
      <MailPreview
        html={preview[shown]}
        label={SHOWN.find(({ value }) => value === shown)?.label ?? shown}
        view={view}
        onViewChange={setView}
      />
    </>
  );
}
