import '@mantine/spotlight/styles.layer.css';
import './palette.css';
import { Spotlight, createSpotlight } from '@mantine/spotlight';
import { useRouter } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useChoices } from './choices.ts';
import type { Command } from './command.ts';
import { useFound } from './find.ts';
import { useCommands } from './commands.ts';

const [store, actions] = createSpotlight();

/**
 * Ctrl+K: every page, every action, and whatever the text names. Actions that the role does not allow come last.
 * All that has to be asked for comes at once and below the rest, so that nothing moves under the pointer.
 */
export function Palette({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const router = useRouter();
  const [query, setQuery] = useState('');
  const found = useFound(query);
  const commands = useCommands(query);
  const choices = useChoices(query.trim());
  const isPossible = ({ disabledReason }: Command) => disabledReason === undefined;
  const forbidden = [...commands, ...(choices ?? [])].filter((one) => !isPossible(one));
  const isAnswered = found !== undefined && choices !== undefined;
  // A record comes before what can be done with it: Enter after a name opens, and makes nothing.
  const last = isAnswered ? [...found.records, ...choices.filter(isPossible), ...found.lists, ...forbidden] : [];
  const shown = [...commands.filter(isPossible), ...last];
  useEffect(() => {
    if (opened) actions.open();
    else actions.close();
  }, [opened]);
  useEffect(() => {
    if (isAnswered && query.trim() !== '') selectFirst();
  }, [isAnswered, query]);
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
        {shown.map(({ id, label, description, group, icon: Icon, href, run, disabledReason }) => (
          <Spotlight.Action
            key={id}
            label={label}
            description={disabledReason ?? description ?? group}
            {...(description === undefined ? {} : { 'data-detail': '' })}
            leftSection={<Icon size={15} strokeWidth={1.75} />}
            {...(disabledReason === undefined
              ? { onClick: () => (href === undefined ? run?.() : router.history.push(href)) }
              : { 'aria-disabled': true, closeSpotlightOnTrigger: false })}
          />
        ))}
        {shown.length === 0 && (
          <Spotlight.Empty>{isAnswered ? 'Nothing is called that.' : 'Searching …'}</Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
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
