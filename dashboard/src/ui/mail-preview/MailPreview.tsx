import { Group, SegmentedControl, Switch } from '@mantine/core';
import type { PreviewView } from '../../lib/use-preview-view.ts';
import type { LinkBadges } from './inert-html.ts';
import { MailFrame } from './MailFrame.tsx';
import styles from './mail-preview.module.css';

interface Props {
  html: string;
  /** For screen readers: “Mail to ada@example.com”. */
  label: string;
  /** Kept by the page, in its address. */
  view: PreviewView;
  onViewChange(view: PreviewView): void;
  badges?: LinkBadges;
}

const WIDTHS = [
  { value: '320', label: 'Phone' },
  { value: '600', label: 'Desktop' },
  { value: 'full', label: 'Full' },
];

const PICTURES = [
  { value: 'none', label: 'No pictures' },
  { value: 'own', label: 'Own pictures' },
  { value: 'all', label: 'All' },
];

/** Html of mail as a reader sees it, with the choice of width, scheme and pictures. */
export function MailPreview({ html, label, view, onViewChange, badges }: Props) {
  const { width, dark, pictures } = view;
  return (
    <section aria-label={label} className={styles['preview']}>
      <Group justify="space-between" gap="sm" className={styles['bar'] ?? ''}>
        <SegmentedControl
          size="xs"
          aria-label="Width"
          data={WIDTHS}
          value={width}
          onChange={(value) => onViewChange({ ...view, width: value as PreviewView['width'] })} // one of WIDTHS
        />
        <Group gap="md">
          <Switch
            size="xs"
            label="Dark"
            checked={dark}
            onChange={(event) => onViewChange({ ...view, dark: event.currentTarget.checked })}
          />
          <SegmentedControl
            size="xs"
            aria-label="Pictures"
            data={PICTURES}
            value={pictures}
            onChange={(value) => onViewChange({ ...view, pictures: value as PreviewView['pictures'] })} // one of PICTURES
          />
        </Group>
      </Group>
      <div className={styles['desk']} data-dark={dark}>
        <MailFrame html={html} label={label} view={view} badges={badges} />
      </div>
    </section>
  );
}
