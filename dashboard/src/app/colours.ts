import { localStorageColorSchemeManager, type MantineColorScheme, type MantineColorSchemeManager } from '@mantine/core';

const COOKIE = 'posthorn_colours';
const YEAR_SECONDS = 31_536_000;

const kept = localStorageColorSchemeManager();

/** Keeps the colours that the person chose, and tells them to the server, which begins each page in them. */
export const colours: MantineColorSchemeManager = {
  ...kept,
  get(otherwise) {
    const chosen = kept.get(otherwise);
    tellServer(chosen);
    return chosen;
  },
  set(chosen) {
    kept.set(chosen);
    tellServer(chosen);
  },
};

/** No cookie: the colours of the system, which the style of the page knows by itself. */
function tellServer(chosen: MantineColorScheme): void {
  const [value, seconds] = chosen === 'auto' ? ['', 0] : [chosen, YEAR_SECONDS];
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `${COOKIE}=${value}; Path=/; Max-Age=${seconds}; SameSite=Lax${secure}`;
}
