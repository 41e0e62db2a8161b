import { Button, Group, Input, NumberInput, SegmentedControl, Stack, Switch, Text, Textarea } from '@mantine/core';
import type { Editor } from '@tiptap/core';
import { NodeSelection } from '@tiptap/pm/state';
import { useEditorState } from '@tiptap/react';
import { BubbleMenu } from '@tiptap/react/menus';
import { Link as LinkIcon } from 'lucide-react';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { completeAddress, isLink } from '../../lib/blocks/address.ts';
import { isOfAnotherServer } from '../../lib/mail/own-picture.ts';
import { VariableInput } from '../writing/VariableInput.tsx';
import { writeOn } from './block-commands.ts';
import styles from './editor.module.css';
import type { Copies } from './use-copies.ts';

const WITH_SETTINGS = new Set(['variable', 'picture', 'button', 'rawHtml']);

/** Settings of the selected block or variable, or the link of the selected words. */
export function SelectionMenu({
  editor,
  copies,
  isLinking,
  onLinkDone,
  onLink,
}: {
  editor: Editor;
  copies: Copies;
  isLinking: boolean;
  onLinkDone(): void;
  onLink(): void;
}) {
  const selected = useEditorState({
    editor,
    selector: ({ editor: now }) => {
      const { selection } = now.state;
      const node =
        selection instanceof NodeSelection && WITH_SETTINGS.has(selection.node.type.name) ? selection.node : null;
      return {
        type: node?.type.name ?? null,
        attrs: node?.attrs ?? {},
        pos: selection.from,
        href: String(now.getAttributes('link')['href'] ?? ''),
      };
    },
  });
  return (
    <BubbleMenu
      editor={editor}
      updateDelay={0}
      options={{ placement: 'bottom-start', offset: 8, flip: true, shift: { padding: 8 } }}
      shouldShow={({ editor: now, state }) => {
        if (!now.isEditable) return false;
        const { selection } = state;
        if (selection instanceof NodeSelection) return WITH_SETTINGS.has(selection.node.type.name);
        return isLinking || now.isActive('link') || (!selection.empty && !now.isActive('codeBlock'));
      }}
      className={styles['bubble'] ?? ''}
    >
      {selected.type !== null ? (
        <Settings
          key={`${selected.type}-${selected.pos}`}
          editor={editor}
          copies={copies}
          type={selected.type}
          attrs={selected.attrs}
        />
      ) : isLinking || selected.href !== '' ? (
        <LinkForm key={selected.href} editor={editor} href={selected.href} isFocused={isLinking} onDone={onLinkDone} />
      ) : (
        <Button size="xs" variant="subtle" color="gray" leftSection={<LinkIcon size={14} />} onClick={onLink}>
          Link
        </Button>
      )}
    </BubbleMenu>
  );
}

function LinkForm({
  editor,
  href,
  isFocused,
  onDone,
}: {
  editor: Editor;
  href: string;
  isFocused: boolean;
  onDone(): void;
}) {
  const [address, setAddress] = useState(href);
  const [fault, setFault] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isFocused) requestAnimationFrame(() => field.current?.focus());
  }, [isFocused]);
  const save = (event: FormEvent) => {
    event.preventDefault();
    const whole = completeAddress(address);
    if (!isLink(whole))
      return setFault('Give an address that begins with https:, http:, mailto: or tel:, or a variable.');
    const chain = editor.chain().focus().extendMarkRange('link');
    if (editor.state.selection.empty && href === '')
      chain.insertContent({ type: 'text', text: whole, marks: [{ type: 'link', attrs: { href: whole } }] }).run();
    else chain.setLink({ href: whole }).run();
    onDone();
  };
  const leave = () => {
    editor.chain().focus().run();
    onDone();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape in any field of it
    <form onSubmit={save} onKeyDown={(event) => event.key === 'Escape' && leave()}>
      <Group gap="xs" align="start" wrap="nowrap">
        <VariableInput
          ref={field}
          size="xs"
          w={250}
          aria-label="Address of the link"
          placeholder="https://example.com"
          value={address}
          error={fault}
          onChange={(event) => setAddress(event.currentTarget.value)}
        />
        <Button size="xs" type="submit">
          Save
        </Button>
        {href === '' ? null : (
          <Button
            size="xs"
            variant="subtle"
            color="gray"
            onClick={() => {
              editor.chain().focus().extendMarkRange('link').unsetLink().run();
              onDone();
            }}
          >
            Remove
          </Button>
        )}
      </Group>
    </form>
  );
}

type Attrs = Record<string, unknown>;

function Settings({ editor, copies, type, attrs }: { editor: Editor; copies: Copies; type: string; attrs: Attrs }) {
  const first = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  // New ones have nothing yet: the first thing to do is to write it.
  const [isNew] = useState(
    () =>
      (type === 'picture' && attrs['alt'] === '') ||
      (type === 'button' && attrs['href'] === '') ||
      (type === 'rawHtml' && attrs['html'] === ''),
  );
  useEffect(() => {
    if (isNew) requestAnimationFrame(() => first.current?.focus());
  }, [isNew]);
  const set = (changes: Attrs) => editor.commands.updateAttributes(type, changes);
  const text = (name: string) => String(attrs[name] ?? '');
  const back = () => void writeOn(editor);
  const field = (
    name: string,
    label: string,
    more: { placeholder?: string; isFirst?: boolean; isAddress?: boolean; description?: string } = {},
  ) => (
    <VariableInput
      {...(more.isFirst ? { ref: first } : {})}
      size="xs"
      label={label}
      description={more.description}
      placeholder={more.placeholder}
      value={text(name)}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
      {...(more.isAddress
        ? {
            onBlur: () => set({ [name]: completeAddress(text(name)) }),
            error: text(name) !== '' && !isLink(completeAddress(text(name))) ? 'Mail cannot lead there.' : null,
          }
        : {})}
    />
  );
  return (
    <Stack
      gap="xs"
      className={styles['settings'] ?? ''}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.preventDefault();
          back();
        }
      }}
    >
      {type === 'variable' && (
        <>
          <Text size="xs" ff="monospace">
            {text('path')}
          </Text>
          {field('fallback', 'When a reader has none', { placeholder: 'there', isFirst: true })}
        </>
      )}
      {type === 'picture' && (
        <>
          {attrs['decorative'] === true
            ? null
            : field('alt', 'Alternative text', {
                description: 'Say what it shows, for readers who do not see it.',
                isFirst: true,
              })}
          <Switch
            size="xs"
            label="Decoration, which needs no text"
            checked={attrs['decorative'] === true}
            onChange={(event) => set({ decorative: event.currentTarget.checked })}
          />
          {field('href', 'Link', { placeholder: 'https://example.com', isAddress: true })}
          <NumberInput
            size="xs"
            label="Width in pixels"
            placeholder="As wide as the mail"
            min={1}
            max={552}
            value={attrs['width'] === null ? '' : Number(attrs['width'])}
            onChange={(value) => set({ width: typeof value === 'number' ? value : null })}
          />
          {isOfAnotherServer(text('src')) && <CopyPicture src={text('src')} copies={copies} />}
        </>
      )}
      {type === 'button' && (
        <>
          {field('text', 'Text')}
          {field('href', 'Address', { placeholder: 'https://example.com', isAddress: true, isFirst: true })}
        </>
      )}
      {type === 'rawHtml' && (
        <Textarea
          ref={first}
          size="xs"
          label="HTML"
          description="It goes into the mail as it is."
          autosize
          minRows={4}
          maxRows={14}
          w={420}
          maw="80vw"
          ff="monospace"
          spellCheck={false}
          value={text('html')}
          onChange={(event) => set({ html: event.currentTarget.value })}
        />
      )}
      {(type === 'picture' || type === 'button') && (
        <Choice label="Alignment" value={text('align')} onChange={(align) => set({ align })} />
      )}
      <Button size="xs" variant="default" onClick={back}>
        Done
      </Button>
    </Stack>
  );
}

function CopyPicture({ src, copies: { copying, faults, copy } }: { src: string; copies: Copies }) {
  const fault = faults.get(src);
  return (
    <>
      <Text size="xs" c="dimmed">
        It comes from {URL.parse(src)?.host ?? 'another server'}.
      </Text>
      {fault !== undefined && (
        <Input.Error size="xs" role="alert">
          {fault}
        </Input.Error>
      )}
      <Button size="xs" variant="default" loading={copying !== undefined} onClick={() => void copy([src])}>
        Copy it to this server
      </Button>
    </>
  );
}

const Choice = ({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange(value: string): void;
}): ReactNode => (
  <SegmentedControl
    size="xs"
    aria-label={label}
    value={value}
    onChange={onChange}
    data={[
      { value: 'left', label: 'Left' },
      { value: 'center', label: 'Centre' },
      { value: 'right', label: 'Right' },
    ]}
  />
);
