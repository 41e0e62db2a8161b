import type { VariableChoice } from '../../../ui/editor/editor-types.ts';

/** Automations know them by the same names: a template serves both. */
export const VARIABLES: readonly VariableChoice[] = [
  { path: 'first_name', label: 'First name', fallback: 'there' },
  { path: 'last_name', label: 'Last name' },
  { path: 'name', label: 'Name', fallback: 'there' },
  { path: 'email', label: 'Address' },
  { path: 'unsubscribe_url', label: 'Link to unsubscribe' },
];
