/** A result of a check of mail before it is sent. */
export interface Finding {
  id: string;
  level: 'ok' | 'warning' | 'error';
  message: string;
}

export const warning = (id: string, message: string): Finding => ({ id, level: 'warning', message });
export const fine = (id: string, message: string): Finding => ({ id, level: 'ok', message });
