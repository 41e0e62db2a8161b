import { useMantineColorScheme } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { BookOpen, Check, LogOut, Monitor, Moon, Sun, UserRound } from 'lucide-react';
import { signOut } from '../../api/generated/sdk.gen.ts';
import { useSession } from '../../api/session.ts';
import { pb } from '../../lib/paths.ts';
import { LaterMenu } from '../../ui/menu/LaterMenu.tsx';
import { toastError } from '../../ui/toasts.tsx';
import classes from './Shell.module.css';

const SCHEMES = [
  { value: 'light', label: 'Light', icon: Sun },
  { value: 'dark', label: 'Dark', icon: Moon },
  { value: 'auto', label: 'As the system', icon: Monitor },
] as const;

export function UserMenu() {
  const { me } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const leave = useSignOut();
  return (
    <LaterMenu
      position="top-start"
      width={236}
      target={
        <button type="button" className={classes['user']} aria-label={`Account of ${me.name ?? me.email}`}>
          <span className={classes['avatar']} data-letter={(me.name ?? me.email).slice(0, 1).toUpperCase()} />
          <span className={classes['name']}>{me.name ?? me.email}</span>
        </button>
      }
    >
      {(Menu) => (
        <>
          <Menu.Label>{me.email}</Menu.Label>
          <Menu.Item component="a" href={pb.account()} leftSection={<UserRound size={14} />}>
            Account
          </Menu.Item>
          <Menu.Item component="a" href="/docs" target="_blank" leftSection={<BookOpen size={14} />}>
            API reference
          </Menu.Item>
          <Menu.Divider />
          <Menu.Label>Colours</Menu.Label>
          {SCHEMES.map(({ value, label, icon: Icon }) => (
            <Menu.Item
              key={value}
              role="menuitemradio"
              aria-checked={colorScheme === value}
              leftSection={<Icon size={14} />}
              rightSection={colorScheme === value ? <Check size={14} /> : undefined}
              onClick={() => setColorScheme(value)}
            >
              {label}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item leftSection={<LogOut size={14} />} onClick={() => void leave()}>
            Sign out
          </Menu.Item>
        </>
      )}
    </LaterMenu>
  );
}

export function useSignOut(): () => Promise<void> {
  const queries = useQueryClient();
  const router = useRouter();
  return async () => {
    try {
      await signOut({ throwOnError: true });
      queries.clear();
      router.history.push(pb.signIn());
    } catch (error) {
      toastError(error);
    }
  };
}
