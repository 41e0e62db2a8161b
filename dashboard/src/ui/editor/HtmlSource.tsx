import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { html } from '@codemirror/lang-html';
import { bracketMatching, defaultHighlightStyle, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view';
import { useEffectEvent, useLayoutEffect, useRef } from 'react';
import { pageNonce } from '../../lib/nonce.ts';
import styles from './editor.module.css';
import type { WithPress } from './fallback/later-editor.tsx';
import { usePress } from './fallback/use-press.ts';

/** Lines that all end in CRLF keep it; every other text keeps its carriage returns as characters. */
export const lineSeparatorOf = (text: string): string =>
  /\r\n/.test(text) && !/(?:^|[^\r])\n|\r(?!\n)/.test(text) ? '\r\n' : '\n';

/** The library's colours are for a light ground; on a dark one they are mixed with white until they can be read. */
const COLOURS = HighlightStyle.define(
  defaultHighlightStyle.specs.map((spec) =>
    typeof spec['color'] === 'string'
      ? { ...spec, color: `light-dark(${spec['color']}, color-mix(in srgb, ${spec['color']} 40%, white))` }
      : spec,
  ),
);

/** The html as it is: what is opened and not typed in is never written, and what is typed changes nothing else. */
export function HtmlSource({
  value,
  onChange,
  readOnly,
  label,
  pressed,
}: WithPress & {
  value: string;
  onChange(html: string): void;
  readOnly: boolean;
  label: string;
}) {
  const host = useRef<HTMLDivElement>(null);
  const written = useRef<EditorView>(null);
  const shown = useRef(value);
  const changed = useEffectEvent(onChange);
  // Before the page is painted: what stood here until now has the height of the text.
  useLayoutEffect(() => {
    const separator = lineSeparatorOf(shown.current);
    const view = new EditorView({
      ...(host.current === null ? {} : { parent: host.current }),
      state: EditorState.create({
        doc: shown.current,
        extensions: [
          EditorView.cspNonce.of(pageNonce()),
          EditorState.lineSeparator.of(separator),
          EditorState.readOnly.of(readOnly),
          EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false' }),
          EditorView.lineWrapping,
          lineNumbers(),
          history(),
          drawSelection(),
          bracketMatching(),
          html({ autoCloseTags: false }),
          syntaxHighlighting(COLOURS),
          // Tab leaves the field, as everywhere on a page.
          keymap.of([...defaultKeymap, ...historyKeymap]),
          EditorView.updateListener.of((update) => {
            if (!update.docChanged) return;
            shown.current = update.state.sliceDoc();
            changed(shown.current);
          }),
        ],
      }),
    });
    written.current = view;
    return () => view.destroy();
  }, [readOnly, label]);
  usePress(
    pressed,
    () => host.current,
    ({ left, top }) => {
      const view = written.current;
      if (view === null) return;
      view.dispatch({ selection: { anchor: view.posAtCoords({ x: left, y: top }, false) } });
      view.focus();
    },
  );
  return <div ref={host} className={styles['source']} data-focus-frame />;
}
