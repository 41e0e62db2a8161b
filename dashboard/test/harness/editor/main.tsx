/** The editor, a line and the preview alone, for tests in a browser: what they give out is read from `window`. */
import '@fontsource-variable/inter/wght.css';
import '@mantine/core/styles.css';
import '../../../src/ui/tokens.css';
import '../../../src/ui/base.css';
import { Container, MantineProvider } from '@mantine/core';
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { theme } from '../../../src/app/theme.ts';
import { pageNonce } from '../../../src/lib/nonce.ts';
import { DEFAULT_VIEW } from '../../../src/lib/use-preview-view.ts';
import { normaliseDocument } from '../../../src/lib/blocks/normalise.ts';
import { renderDocument } from '../../../src/lib/blocks/render.ts';
import type { IssueBody } from '../../../src/ui/editor/editor-types.ts';
import { IssueEditor } from '../../../src/ui/editor/IssueEditor.tsx';
import { MailPreview } from '../../../src/ui/mail-preview/MailPreview.tsx';
import { TemplateInput } from '../../../src/ui/writing/TemplateInput.tsx';

const EMPTY: IssueBody = { html: '', editor: null };
let changes = 0;
Object.assign(window, { body: EMPTY, changes });

const VARIABLES = [
  { path: 'subscriber.name', label: 'Name', fallback: 'there' },
  { path: 'subscriber.email', label: 'Email address' },
  { path: 'newsletter.name', label: 'Newsletter' },
];

async function upload(file: File, { onProgress }: { onProgress(share: number): void }) {
  onProgress(0.5);
  if (file.name.includes('bad')) throw new Error('The picture is larger than 10 MB.');
  return { src: `https://pictures.example.com/${file.name}`, name: file.name, width: 320, height: 240 };
}

function Harness() {
  const [shown, setShown] = useState({ body: EMPTY, key: 0 });
  const [html, setHtml] = useState<string | null>(null);
  const [line, setLine] = useState<string | null>(null);
  const [view, setView] = useState(DEFAULT_VIEW);
  useEffect(() => {
    const open = (body: IssueBody) => {
      changes = 0;
      Object.assign(window, { body, changes });
      setHtml(null);
      setLine(null);
      setShown(({ key }) => ({ body, key: key + 1 }));
    };
    Object.assign(window, {
      open,
      preview: setHtml,
      line: (value: string) => {
        changes = 0;
        Object.assign(window, { changes });
        setLine(value);
      },
      render: (json: unknown) => renderDocument(normaliseDocument(json)),
    });
  }, []);
  const change = (body: IssueBody) => {
    changes += 1;
    Object.assign(window, { body, changes });
  };
  return (
    <Container size="md" py="xl" component="main">
      {line !== null ? (
        <TemplateInput
          label="Subject"
          description="Inboxes show it first."
          value={line}
          maxLength={100}
          readOnly={false}
          variables={VARIABLES}
          onChange={(value) => {
            changes += 1;
            Object.assign(window, { changes });
            setLine(value);
          }}
        />
      ) : html === null ? (
        <IssueEditor
          key={shown.key}
          value={shown.body}
          onChange={change}
          pictures={{
            upload,
            copy: () => Promise.reject(new Error('Nothing is copied here.')),
            list: async () => ({ pictures: [], next: null }),
          }}
          variables={VARIABLES}
          brand={{ color: '#2f51cb' }}
        />
      ) : (
        <MailPreview html={html} label="Mail" view={view} onViewChange={setView} />
      )}
    </Container>
  );
}

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
createRoot(root).render(
  <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={pageNonce}>
    <Harness />
  </MantineProvider>,
);
