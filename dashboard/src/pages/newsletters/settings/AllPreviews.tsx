import { SegmentedControl, Switch } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { NewsletterPreview } from '../../../api/generated/types.gen.ts';
import { usePreviewView } from '../../../lib/use-preview-view.ts';
import { MailFrame } from '../../../ui/mail-preview/MailFrame.tsx';
import classes from './previews.module.css';

type Form = 'embed' | 'embed_line';

/** Page, form and mail below each other, all in sight, at a part of their size. */
export function AllPreviews({ preview }: { preview: NewsletterPreview }) {
  const [view, setView] = usePreviewView();
  const [form, setForm] = useState<Form>('embed');
  const frame = (label: string, html: string, scale: number) => (
    <MailFrame html={html} label={label} view={{ ...view, width: 'full' }} scale={scale} />
  );
  const dark = (
    <Switch
      size="xs"
      label="Dark"
      checked={view.dark}
      onChange={(event) => setView({ ...view, dark: event.currentTarget.checked })}
    />
  );
  const forms = (
    <SegmentedControl
      aria-label="Layout of the form"
      size="xs"
      data={[
        { value: 'embed', label: 'Stacked' },
        { value: 'embed_line', label: 'In one line' },
      ]}
      value={form}
      onChange={(next) => setForm(next as Form)} // one of the two
    />
  );
  return (
    <div className={classes['all']} data-dark={view.dark || undefined}>
      <Pane title="Page" head={dark}>
        {frame('Page', preview.page, 0.6)}
      </Pane>
      <Pane title="Form" head={forms}>
        {frame('Form', preview[form], 0.75)}
      </Pane>
      <Pane title="Mail">{frame('Mail', preview.mail, 0.6)}</Pane>
    </div>
  );
}

interface PaneProps {
  title: string;
  head?: ReactNode;
  children: ReactNode;
}

/** The rest of what is longer than its pane is reached by scrolling, also with the keyboard. */
function Pane({ title, head, children }: PaneProps) {
  return (
    <section className={classes['pane']} aria-label={`Preview of the ${title.toLowerCase()}`}>
      <div className={classes['head']}>
        <h3>{title}</h3>
        {head}
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls */}
      <div className={classes['window']} role="group" aria-label={title} tabIndex={0}>
        {children}
      </div>
    </section>
  );
}
