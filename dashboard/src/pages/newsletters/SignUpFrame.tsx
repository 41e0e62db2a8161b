import type { Newsletter } from '../../api/generated/types.gen.ts';
import type { EmbedLayout, EmbedTheme } from './embed-code.ts';
import { HEIGHTS } from './embed-code.ts';
import classes from './newsletters.module.css';

interface Props {
  newsletter: Newsletter;
  layout: EmbedLayout;
  theme: EmbedTheme;
}

/** The embedded form as another site shows it. The sandbox sends no form, so nobody signs up from here. */
export function SignUpFrame({ newsletter, layout, theme }: Props) {
  const { pathname } = new URL(newsletter.embed_url);
  return (
    <iframe
      // A change of the settings shows at once.
      key={newsletter.updated_at}
      className={`${classes['frame']} ${theme === 'dark' ? classes['dark'] : ''}`}
      src={`${pathname}?${new URLSearchParams({ layout, theme })}`}
      title={`Sign-up form of ${newsletter.name}`}
      sandbox="allow-scripts"
      style={{ height: HEIGHTS[layout] }}
    />
  );
}
