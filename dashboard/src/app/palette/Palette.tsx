import '@mantine/spotlight/styles.layer.css';
import './palette.css';
import { Spotlight, createSpotlight } from '@mantine/spotlight';
import { useRouter } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { Command } from './command.ts';
import { useEntries } from './entries.ts';
import { press } from './on-this-page.ts';

const [store, actions] = createSpotlight();

interface Props {
  opened: boolean;
  onClose: () => void;
  hint: string;
  query: string;
  onQuery: (query: string) => void;
  /** The field has the focus. */
  onReady: () => void;
}

/**
 * Ctrl+K: what can be done on this page, every page, every action, and whatever the text names. Loaded by
 * `PaletteAtOnce` only, which has what was typed before, and gives the focus back.
 */
export function Palette({ opened, onClose, hint, query, onQuery, onReady }: Props) {
  const router = useRouter();
  const { shown, isAnswered } = useEntries(query, opened);
  const chosen = useRef<HTMLElement>(undefined);
  useEffect(() => {
    if (opened) {
      actions.open();
      return;
    }
    actions.close();
    const button = chosen.current;
    chosen.current = undefined;
    if (button !== undefined) press(button);
  }, [opened]);
  const hasAnswer = isAnswered && query.trim() !== '';
  useEffect(() => {
    if (hasAnswer) selectFirst();
  }, [hasAnswer, query]);
  const choose = ({ href, run, button }: Command) => {
    chosen.current = button;
    if (href === undefined) run?.();
    else router.history.push(href);
  };
  return (
    <Spotlight.Root
      store={store}
      query={query}
      onQueryChange={onQuery}
      onSpotlightClose={onClose}
      returnFocus={false}
      shortcut={null}
      centered={false}
      maxHeight={420}
      scrollable
    >
      <Spotlight.Search
        placeholder={hint}
        aria-label="Search and commands"
        onFocus={() => {
          onReady();
          if (hasAnswer) selectFirst();
        }}
        leftSection={<Search size={16} />}
      />
      <Spotlight.ActionsList>
        {shown.map((command) => (
          <Entry key={command.id} command={command} onChoose={() => choose(command)} />
        ))}
        {shown.length === 0 && (
          <Spotlight.Empty>{isAnswered ? 'Nothing is called that.' : 'Searching …'}</Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

function Entry({ command, onChoose }: { command: Command; onChoose: () => void }) {
  const { label, description, group, icon: Icon, disabledReason } = command;
  return (
    <Spotlight.Action
      label={label}
      description={disabledReason ?? description ?? group}
      {...(description === undefined ? {} : { 'data-detail': '' })}
      leftSection={<Icon size={15} strokeWidth={1.75} />}
      {...(disabledReason === undefined
        ? { onClick: onChoose }
        : { 'aria-disabled': true, closeSpotlightOnTrigger: false })}
    />
  );
}

/** Enter is for the first entry: Mantine marks it when something is typed, and not when all entries come later. */
function selectFirst(): void {
  const list = document.getElementById(store.getState().listId);
  const first = list?.querySelector('[data-action]');
  if (!first || list?.querySelector('[data-selected]')) return;
  first.setAttribute('data-selected', 'true');
  store.updateState((state) => ({ ...state, selected: 0 }));
}
