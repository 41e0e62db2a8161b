/**
 * The editor of an issue: blocks, or html as it is. Changing over destroys nothing: the blocks are kept until the html
 * is typed in, and until the page is left they come back with one click after that.
 */
import { Alert, Button, Group } from '@mantine/core';
import { useState } from 'react';
import type { BlockDocument } from '../../lib/blocks/document.ts';
import { emptyDocument, storedDocument } from '../../lib/blocks/document.ts';
import { readStoredDocument } from '../../lib/blocks/normalise.ts';
import type { EditorProps, IssueBody } from './editor-types.ts';
import styles from './editor.module.css';
import { BlockEditor } from './later-blocks.tsx';
import { HtmlSource } from './later-source.tsx';

export function IssueEditor({ value, onChange, ...rest }: EditorProps) {
  const { readOnly = false, label = 'Body of the issue' } = rest;
  const [body, setBody] = useState(value);
  const [first] = useState(() => blocksOf(value));
  const [blocks, setBlocks] = useState<BlockDocument | null>(first);
  /** The last body of blocks, for the way back. */
  const [kept, setKept] = useState<IssueBody | null>(first === null ? null : value);
  const [mode, setMode] = useState<'blocks' | 'source'>(first === null ? 'source' : 'blocks');
  const [isTyped, setTyped] = useState(false);
  const change = (next: IssueBody) => {
    setBody(next);
    if (next.editor !== null) setKept(next);
    else setTyped(true);
    onChange(next);
  };
  const toSource = () => setMode('source');
  const toBlocks = () => {
    if (kept === null) return;
    setBlocks(blocksOf(kept));
    if (isTyped) {
      setBody(kept);
      onChange(kept);
    }
    setTyped(false);
    setMode('blocks');
  };
  const convert = async () => {
    const [{ importHtml }, { renderDocument }] = await Promise.all([
      import('../../lib/blocks/import-html.ts'),
      import('../../lib/blocks/render.ts'),
    ]);
    const { document } = importHtml(body.html, { keepsGaps: true });
    setBlocks(document);
    setMode('blocks');
    change({ html: renderDocument(document, { brandColor: rest.brand.color }), editor: storedDocument(document) });
  };
  return (
    <div>
      {readOnly ? null : (
        <Group justify="flex-end" mb="xs">
          {mode === 'blocks' ? (
            <Button size="compact-sm" variant="subtle" color="gray" onClick={toSource}>
              Edit as HTML
            </Button>
          ) : (
            <SourceNotice
              hasBlocks={kept !== null}
              isTyped={isTyped}
              onBack={toBlocks}
              onConvert={() => void convert()}
            />
          )}
        </Group>
      )}
      {mode === 'blocks' && blocks !== null ? (
        <BlockEditor {...rest} document={blocks} onChange={change} />
      ) : (
        <HtmlSource
          value={body.html}
          readOnly={readOnly}
          label={`${label} as HTML`}
          onChange={(html) => change({ html, editor: null })}
        />
      )}
    </div>
  );
}

function SourceNotice({
  hasBlocks,
  isTyped,
  onBack,
  onConvert,
}: {
  hasBlocks: boolean;
  isTyped: boolean;
  onBack(): void;
  onConvert(): void;
}) {
  const sentence = !hasBlocks
    ? 'This text is HTML. Nothing but what you type changes in it.'
    : isTyped
      ? 'You have changed the HTML, so the blocks no longer describe it. Undo brings the blocks back, without these changes.'
      : 'This is the HTML of your blocks. The blocks are kept until you change it.';
  return (
    <Alert variant="light" color="gray" role="status" w="100%" className={styles['notice'] ?? ''}>
      <Group justify="space-between" gap="xs">
        <span>{sentence}</span>
        {hasBlocks ? (
          <Button size="compact-sm" variant="default" onClick={onBack}>
            {isTyped ? 'Undo and go back to blocks' : 'Back to blocks'}
          </Button>
        ) : (
          <Button size="compact-sm" variant="default" onClick={onConvert}>
            Make blocks of it
          </Button>
        )}
      </Group>
    </Alert>
  );
}

/** Null: there is html that no blocks describe. */
function blocksOf({ html, editor }: IssueBody): BlockDocument | null {
  return readStoredDocument(editor) ?? (html.trim() === '' ? emptyDocument() : null);
}
