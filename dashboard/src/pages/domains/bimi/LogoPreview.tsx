import { FileButton } from '@mantine/core';
import { useEffect, useState } from 'react';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { Section } from '../../../ui/Section.tsx';
import own from './bimi.module.css';

interface Props {
  domain: string;
  svgUrl: string | undefined;
  /** As the last check fetched it; null: it has faults, or was not checked. */
  logo: string | null;
}

/** How a mailbox shows the logo of the last check, or a file of the person's own machine. It asks no other server. */
export function LogoPreview({ domain, svgUrl, logo }: Props) {
  const [file, setFile] = useState<string>();
  useEffect(() => {
    if (file === undefined) return;
    return () => URL.revokeObjectURL(file);
  }, [file]);
  const picture = file ?? logo;
  return (
    <Section
      title="As a mailbox shows it"
      description={
        svgUrl === undefined ? (
          'Without a logo mailboxes show the first letter. Choose the file to see it round: it stays in this browser.'
        ) : (
          <>
            {logo === null
              ? 'A check that finds no fault in the logo shows it here: '
              : 'As the last check fetched it: '}
            <a href={svgUrl} target="_blank" rel="noreferrer">
              {svgUrl}
            </a>
            . Choose a file to see another one: it stays in this browser.
          </>
        )
      }
      actions={
        <FileButton
          accept="image/svg+xml"
          onChange={(chosen) => setFile(chosen === null ? undefined : URL.createObjectURL(chosen))}
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
              {picture === null ? (domain[0] ?? '').toUpperCase() : <img src={picture} alt="" />}
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
