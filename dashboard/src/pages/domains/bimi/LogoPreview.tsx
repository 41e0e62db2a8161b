import { FileButton } from '@mantine/core';
import { useEffect, useState } from 'react';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { Section } from '../../../ui/Section.tsx';
import own from './bimi.module.css';

/** How a mailbox shows the logo. No other server is asked: the picture is a file of the person's own machine. */
export function LogoPreview({ domain, svgUrl }: { domain: string; svgUrl: string | undefined }) {
  const [picture, setPicture] = useState<string>();
  useEffect(() => {
    if (picture === undefined) return;
    return () => URL.revokeObjectURL(picture);
  }, [picture]);
  return (
    <Section
      title="As a mailbox shows it"
      description={
        svgUrl === undefined ? (
          'Without a logo mailboxes show the first letter. Choose the file to see it round: it stays in this browser.'
        ) : (
          <>
            Posthorn keeps no copy of the logo, and this page asks no other server for it. It is at{' '}
            <a href={svgUrl} target="_blank" rel="noreferrer">
              {svgUrl}
            </a>
            . Choose the same file to see it here: it stays in this browser.
          </>
        )
      }
      actions={
        <FileButton
          accept="image/svg+xml"
          onChange={(file) => setPicture(file === null ? undefined : URL.createObjectURL(file))}
        >
          {(props) => (
            <ActionButton variant="default" size="xs" onClick={props.onClick}>
              Choose the file
            </ActionButton>
          )}
        </FileButton>
      }
      plain
    >
      <div className={own['mailboxes']}>
        {(['light', 'dark'] as const).map((scheme) => (
          <div key={scheme} className={own['mailbox']} data-scheme={scheme}>
            <span className={own['avatar']} aria-hidden="true">
              {picture === undefined ? (domain[0] ?? '').toUpperCase() : <img src={picture} alt="" />}
            </span>
            <span className={own['mailWords']}>
              <b>hello@{domain}</b>
              <span>Your receipt</span>
            </span>
          </div>
        ))}
      </div>
    </Section>
  );
}
