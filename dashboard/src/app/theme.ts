import { createTheme, type MantineColorsTuple } from '@mantine/core';
import { WaitingButton } from '../ui/WaitingButton.tsx';

/** Cool neutral greys, from paper to ink. */
const gray: MantineColorsTuple = [
  '#fafafb',
  '#f4f4f6',
  '#ebebee',
  '#dedee3',
  '#c8c8d0',
  '#a1a1ac',
  '#71717d',
  '#52525e',
  '#33333c',
  '#1b1b21',
];
/** Greys of the dark scheme: Mantine reads text from [0], borders from [4], surfaces from [6] and ground from [7]. */
const dark: MantineColorsTuple = [
  '#ededf0',
  '#b4b4bd',
  '#8e8e9a',
  '#6b6b76',
  '#393942',
  '#27272d',
  '#1a1a1f',
  '#131316',
  '#0e0e11',
  '#0a0a0c',
];
const accent: MantineColorsTuple = [
  '#eff3ff',
  '#dde5ff',
  '#bccbff',
  '#97aeff',
  '#7391fb',
  '#5577f3',
  '#3c60e4',
  '#2f51cb',
  '#2743a6',
  '#223a88',
];

const FONT = "'Inter Variable', system-ui, -apple-system, 'Segoe UI', sans-serif";
const MONO = "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace";

/** Sizes and behaviour. Colours are in `ui/tokens.css`, and the looks of Mantine's parts in `ui/base.css`. */
export const theme = createTheme({
  fontFamily: FONT,
  fontFamilyMonospace: MONO,
  headings: {
    fontFamily: FONT,
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.25rem', lineHeight: '1.75rem' },
      h2: { fontSize: '0.875rem', lineHeight: '1.25rem' },
      h3: { fontSize: '0.8125rem', lineHeight: '1.25rem' },
    },
  },
  colors: { gray, dark, accent },
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 5 },
  defaultRadius: 'sm',
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '16px' },
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  lineHeights: { xs: '1rem', sm: '1.25rem', md: '1.25rem', lg: '1.5rem', xl: '1.75rem' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  cursorType: 'pointer',
  // `base.css` draws one focus ring for everything.
  focusRing: 'never',
  respectReducedMotion: true,
  // By name: `Select.extend()` would bring every part into the first load.
  components: {
    Button: { defaultProps: { variant: 'filled', loaderProps: { type: 'dots' }, component: WaitingButton } },
    ActionIcon: { defaultProps: { variant: 'subtle' } },
    // Beside an input, not inside of a button: a screen reader would say that there is a picture.
    ComboboxChevron: { defaultProps: { 'aria-hidden': true } },
    Checkbox: { defaultProps: { radius: 'xs' } },
    SegmentedControl: { defaultProps: { withItemsBorders: false } },
    Tooltip: { defaultProps: { openDelay: 250, transitionProps: { duration: 80 } } },
    Menu: { defaultProps: { transitionProps: { duration: 80 }, shadow: 'none' } },
    Modal: {
      defaultProps: {
        centered: true,
        transitionProps: { duration: 100 },
        overlayProps: { backgroundOpacity: 0.4 },
        closeButtonProps: { 'aria-label': 'Close' },
      },
    },
    Drawer: { defaultProps: { transitionProps: { duration: 120 }, closeButtonProps: { 'aria-label': 'Close' } } },
  },
});
