import type { VariableChoice } from '../../../ui/editor/editor-types.ts';

export const VARIABLES: readonly VariableChoice[] = [
  { path: 'subscriber.name', label: 'Name', fallback: 'there' },
  { path: 'subscriber.email', label: 'Address' },
  { path: 'newsletter.name', label: 'Newsletter' },
  { path: 'unsubscribe_url', label: 'Link to unsubscribe' },
];
