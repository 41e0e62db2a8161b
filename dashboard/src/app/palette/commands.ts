import { useMantineColorScheme } from '@mantine/core';
import { LogOut, Moon, Sun } from 'lucide-react';
import { useIsOperator } from '../../api/operator.ts';
import { useRole } from '../../api/session.ts';
import { whyNot } from '../../lib/capabilities.ts';
import { NAVIGATION } from '../navigation.ts';
import { useSignOut } from '../shell/UserMenu.tsx';
import { PAGE_ACTIONS } from './actions.ts';
import { ACTION, type Command, matches } from './command.ts';
import { useExports } from './exports.ts';

/** Pages and actions. A new action that leads to a page is one entry of `actions.ts`. */
export function useCommands(query: string): readonly Command[] {
  const isOperator = useIsOperator();
  const role = useRole();
  const { setColorScheme } = useMantineColorScheme();
  const signOut = useSignOut();
  const exports = useExports();
  const isShown = ({ operators }: { operators?: boolean }) => operators !== true || isOperator;
  const pages: Command[] = NAVIGATION.flatMap(({ label = 'Page', items }) =>
    items.filter(isShown).map((item) => ({ ...item, id: item.href, group: label })),
  );
  const actions: Command[] = PAGE_ACTIONS.filter(isShown).map(({ needs, ...action }) => ({
    ...action,
    id: `action-${action.label}`,
    group: ACTION,
    disabledReason: needs && whyNot(role, needs),
  }));
  const own: Command[] = [
    { id: 'dark', label: 'Use dark colours', icon: Moon, run: () => setColorScheme('dark'), also: 'theme' },
    { id: 'light', label: 'Use light colours', icon: Sun, run: () => setColorScheme('light'), also: 'theme' },
    { id: 'sign-out', label: 'Sign out', icon: LogOut, run: () => void signOut(), also: 'log out' },
  ].map((command) => ({ ...command, group: ACTION }));
  return [...pages, ...actions, ...exports, ...own].filter((command) => matches(command, query.trim()));
}
