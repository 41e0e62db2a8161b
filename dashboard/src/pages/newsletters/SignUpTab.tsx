import { SegmentedControl } from '@mantine/core';
import type { Newsletter } from '../../api/generated/types.gen.ts';
import { pb } from '../../lib/paths.ts';
import { useUrlState } from '../../lib/use-url-state.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { CodeBlock } from '../../ui/code/CodeBlock.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Section } from '../../ui/Section.tsx';
import { type EmbedLayout, type EmbedTheme, embedCode } from './embed-code.ts';
import classes from './newsletters.module.css';
import { SignUpFrame } from './SignUpFrame.tsx';

const LAYOUTS = [
  { value: 'full', label: 'With name and description' },
  { value: 'line', label: 'One line' },
];
const THEMES = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'auto', label: 'As the reader’s system' },
];

/** How people come to the list: a page to link to, and a form for other sites. */
export function SignUpTab({ newsletter }: { newsletter: Newsletter }) {
  const [state, setUrl] = useUrlState(['layout', 'theme']);
  const layout: EmbedLayout = state.layout === 'line' ? 'line' : 'full';
  const theme: EmbedTheme = state.theme === 'dark' || state.theme === 'auto' ? state.theme : 'light';
  const code = embedCode({ name: newsletter.name, embedUrl: newsletter.embed_url, layout, theme });
  return (
    <>
      {!newsletter.signup_enabled && (
        <Notice
          tone="warn"
          action={
            <ActionButton size="xs" variant="default" href={pb.newsletterTab(newsletter.id, 'settings')}>
              Open the settings
            </ActionButton>
          }
        >
          Sign-up is closed: page and form say so.
        </Notice>
      )}
      <Section title="Sign-up page" description="Link to it from anywhere. It works without JavaScript." plain>
        <Address url={newsletter.subscribe_url} label="Copy the address of the sign-up page" />
      </Section>
      {newsletter.archive_enabled && (
        <Section title="Archive" description="Sent issues, for everybody to read." plain>
          <Address url={newsletter.archive_url} label="Copy the address of the archive" />
        </Section>
      )}
      <Section title="Form for your site" description="It sets no cookies, and its answers stay in the frame." plain>
        <div className={classes['halves']}>
          <div className={classes['stack']}>
            <SegmentedControl
              aria-label="Layout"
              size="xs"
              data={LAYOUTS}
              value={layout}
              onChange={(next) => setUrl({ layout: next === 'full' ? undefined : next })}
            />
            <SegmentedControl
              aria-label="Theme"
              size="xs"
              data={THEMES}
              value={theme}
              onChange={(next) => setUrl({ theme: next === 'light' ? undefined : next })}
            />
            <CodeBlock code={code} label="the code" wrap />
          </div>
          <SignUpFrame newsletter={newsletter} layout={layout} theme={theme} />
        </div>
      </Section>
    </>
  );
}

function Address({ url, label }: { url: string; label: string }) {
  return (
    <div className={classes['row']}>
      <a className={classes['address']} href={url} target="_blank" rel="noreferrer">
        {url}
      </a>
      <CopyButton value={url} label={label} />
    </div>
  );
}
