import '@mantine/spotlight/styles.layer.css';
import './palette.css';
import { Spotlight, createSpotlight } from '@mantine/spotlight';
import { useRouter } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Command } from './command.ts';
import { useEntries } from './entries.ts';
import { press } from './on-this-page.ts';

/** Mantine gives the focus back 10 ms after a dialog has closed. It would take it from the dialog of a button. */
const FOCUS_IS_BACK_MS = 20;
const [store, actions] = createSpotlight();

/** Ctrl+K: what can be done on this page, every page, every action, and whatever the text names. */
export function Palette({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const router = useRouter();
  const [query, setQuery] = useState('');
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
    // Also when the palette is opened again at once: the action was chosen.
    if (button !== undefined) setTimeout(() => press(button), FOCUS_IS_BACK_MS);
  }, [opened]);
  useEffect(() => {
    if (isAnswered && query.trim() !== '') selectFirst();
  }, [isAnswered, query]);
  const choose = ({ href, run, button }: Command) => {
    chosen.current = button;
    if (href === undefined) run?.();
    else router.history.push(href);
  };
  return (
    <Spotlight.Root
      store={store}
      query={query}
      onQueryChange={setQuery}
      onSpotlightClose={() => {
        setQuery('');
        onClose();
      }}
      shortcut={null}
      centered={false}
      maxHeight={420}
      scrollable
    >
      <Spotlight.Search
        placeholder="Go to a page, or find an id, an address or a subject"
        aria-label="Search and commands"
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
