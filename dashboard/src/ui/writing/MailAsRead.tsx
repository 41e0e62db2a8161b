import { usePreviewView } from '../../lib/use-preview-view.ts';
import { MailPreview } from '../mail-preview/MailPreview.tsx';
import classes from './writing.module.css';

interface Props {
  mail: { subject: string; html: string; text: string };
  /** Names the frame for a screen reader. */
  label: string;
}

/** A mail as one reader gets it, at the widths of a phone and a desktop, dark, with pictures or without. */
export function MailAsRead({ mail, label }: Props) {
  const [view, setView] = usePreviewView();
  return (
    <>
      <p className={classes['subject']}>
        <span>Subject</span> {mail.subject}
      </p>
      <MailPreview html={mail.html} label={label} view={view} onViewChange={setView} />
      <details>
        <summary>The text for programs that show no HTML</summary>
        <pre className={classes['text']}>{mail.text}</pre>
      </details>
    </>
  );
}
