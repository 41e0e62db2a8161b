import type { Page } from './journey.ts';

/** Opens a list of choices by its label, and takes one of them. */
export async function choose(page: Page, field: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: field, exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}
