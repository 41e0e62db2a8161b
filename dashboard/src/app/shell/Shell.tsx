import { useDisclosure, useHotkeys, useMediaQuery } from '@mantine/hooks';
import { Outlet, useLocation } from '@tanstack/react-router';
import { Menu as MenuIcon, Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { usePlainLinks } from '../links.ts';
import { PaletteAtOnce } from '../palette/PaletteAtOnce.tsx';
import { BrandMark } from '../../ui/BrandMark.tsx';
import { lazyDialog } from '../../lib/lazy-part.tsx';
import { isFirstPage, isReturn, useSecondTurn } from '../../lib/use-second-turn.ts';
import { ConnectionNotice } from './ConnectionNotice.tsx';
import { useFocusOnNavigation } from './focus-on-navigation.ts';
import { useKeptFocus } from './keep-focus.ts';
import { useKeptGutter } from './use-kept-gutter.ts';
import classes from './Shell.module.css';
import { SideBar } from './SideBar.tsx';

const NavDrawer = lazyDialog(() => import('./NavDrawer.tsx').then((file) => file.NavDrawer));

/** As in `Shell.module.css`. */
const WIDE = '(min-width: 900px)';

/** The frame of every page behind the sign-in: the navigation beside it, or above it on a phone. */
export function Shell() {
  const { pathname } = useLocation();
  const [isNavOpen, nav] = useDisclosure(false);
  // A phone draws no links that it does not show.
  const isWide = useMediaQuery(WIDE, true, { getInitialValueInEffect: false });
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const openPalette = () => setPaletteOpen(true);
  usePlainLinks();
  useFocusOnNavigation();
  useKeptFocus();
  useKeptGutter();
  useHotkeys([['mod+K', openPalette]], []);
  const { close } = nav;
  useEffect(() => {
    close();
  }, [pathname, close]);
  return (
    <div className={classes['shell']}>
      <a className={classes['skip']} href="#content">
        Skip to the content
      </a>
      {isWide && (
        <aside className={classes['side']} aria-label="Workspace and account">
          <SideBar onSearch={openPalette} />
        </aside>
      )}
      <header className={classes['top']}>
        <button type="button" className={classes['topButton']} aria-label="Open the navigation" onClick={nav.open}>
          <MenuIcon size={18} />
        </button>
        <BrandMark />
        <button type="button" className={classes['topButton']} aria-label="Search and commands" onClick={openPalette}>
          <Search size={18} />
        </button>
      </header>
      <NavDrawer opened={isNavOpen} onClose={nav.close}>
        <SideBar onSearch={openPalette} />
      </NavDrawer>
      <main id="content" className={classes['main']} tabIndex={-1}>
        <ConnectionNotice />
        <Page />
      </main>
      <PaletteAtOnce opened={isPaletteOpen} onClose={() => setPaletteOpen(false)} />
    </div>
  );
}

/**
 * The first page of a visit, drawn in turns of its own after the frame, which is there sooner. Behind the sign-in the
 * page comes with the frame, because its title takes the focus.
 */
function Page() {
  return useSecondTurn(!isFirstPage() || isReturn()) && <Outlet />;
}
