import '@mantine/spotlight/styles.layer.css';
import './palette.css';
import { Spotlight, createSpotlight } from '@mantine/spotlight';
import { useRouter } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Command } from './command.ts';
import { useFound } from './find.ts';
import { useCommands } from './commands.ts';

const [store, actions] = createSpotlight();

/** Ctrl+K: every page, every action, and whatever the text names. Actions that the role does not allow come last. */
export function Palette({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const router = useRouter();
  const [query, setQuery] = useState('');
  const found = useFound(query);
  const commands = useCommands(query);
  const isPossible = ({ disabledReason }: Command) => disabledReason === undefined;
  const shown = [...commands.filter(isPossible), ...found, ...commands.filter((one) => !isPossible(one))];
  useEffect(() => {
    if (opened) actions.open();
    else actions.close();
  }, [opened]);
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
            leftSection={<Icon size={15} strokeWidth={1.75} />}
            {...(disabledReason === undefined
              ? { onClick: () => (href === undefined ? run?.() : router.history.push(href)) }
              : { 'aria-disabled': true, closeSpotlightOnTrigger: false })}
          />
        ))}
        {shown.length === 0 && <Spotlight.Empty>Nothing is called that.</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}
