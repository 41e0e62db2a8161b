import { useLocation } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useIsOperator } from '../../api/operator.ts';
import { isActive, NAVIGATION } from '../navigation.ts';
import classes from './Shell.module.css';
import { UserMenu } from './UserMenu.tsx';
import { WorkspaceMenu } from './WorkspaceMenu.tsx';

const isMac = navigator.platform.startsWith('Mac');

/** React calls it when an entry becomes that of the page. */
const bringIntoSight = (entry: HTMLElement | null): void => entry?.scrollIntoView({ block: 'nearest' });

export function SideBar({ onSearch }: { onSearch: () => void }) {
  const { pathname } = useLocation();
  const isOperator = useIsOperator();
  return (
    <div className={classes['bar']}>
      <WorkspaceMenu />
      <button type="button" className={classes['find']} onClick={onSearch}>
        <Search size={14} aria-hidden="true" />
        Search
        <kbd aria-hidden="true">{isMac ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
      <nav aria-label="Main" className={classes['nav']}>
        {NAVIGATION.map(({ label, items }) => (
          <div key={label ?? ''} className={classes['group']}>
            {/* No heading: those of a page begin with its title. */}
            {label !== undefined && (
              <div className={classes['label']} aria-hidden="true">
                {label}
              </div>
            )}
            <ul aria-label={label}>
              {items
                .filter(({ operators }) => operators !== true || isOperator)
                .map((item) => (
                  <li key={item.href}>
                    <a
                      ref={isActive(item, pathname) ? bringIntoSight : undefined}
                      href={item.href}
                      className={classes['item']}
                      aria-current={isActive(item, pathname) ? 'page' : undefined}
                    >
                      <item.icon size={15} strokeWidth={1.75} aria-hidden="true" />
                      {item.label}
                    </a>
                  </li>
                ))}
            </ul>
          </div>
        ))}
      </nav>
      <UserMenu />
    </div>
  );
}
