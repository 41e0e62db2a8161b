/** The pages of automations, for `shot-list.ts`. */
import { pb } from '../src/lib/paths.ts';
import type { AutomationIds } from './seed-automations.ts';
import type { Page, Shots } from './shot-list.ts';

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();
const dialogOpens = (page: Page) => page.getByRole('dialog').waitFor();

const pressed = (name: string) => async (page: Page) => {
  await press(name)(page);
  await dialogOpens(page);
};

const drawn = async (page: Page) => {
  await press('Show as a drawing')(page);
  await page.getByRole('figure').getByText('time is up').waitFor();
};

const added = (name: RegExp) => async (page: Page) => {
  await press('Add a step before step 1')(page);
  await page.getByRole('menuitem', { name }).click();
  const more = page.getByRole('button', { name: 'Add a property' });
  await more.or(page.getByRole('radiogroup')).first().waitFor();
  if (await more.isVisible()) await more.click();
};

/** `missing` is an id of nothing. */
export function automationShots(ids: AutomationIds, missing: string): Shots {
  return {
    automations: pb.automations(),
    'automations-filtered': `${pb.automations()}?search=nothing-like-this`,
    'automation-new': { path: `${pb.automations()}?add=1`, open: dialogOpens },
    automation: pb.automation(ids.automation),
    'automation-trigger': { path: pb.automation(ids.automation), open: press(/^Trigger/) },
    'automation-step-email': { path: pb.automation(ids.automation), open: press(/Send an email/) },
    'automation-step-wait': { path: pb.automation(ids.automation), open: press(/Wait for an event/) },
    'automation-step-condition': { path: pb.automation(ids.automation), open: press(/Check a condition/) },
    'automation-step-add': { path: pb.automation(ids.automation), open: press('Add a step') },
    'automation-drawing': { path: pb.automation(ids.automation), open: drawn },
    'automation-step-contact': { path: pb.automation(ids.automationOff), open: added(/^Change the contact/) },
    'automation-step-unsubscribe': { path: pb.automation(ids.automationOff), open: added(/^Unsubscribe/) },
    'automation-start': { path: pb.automation(ids.automation), open: pressed('Test or start') },
    'automation-refused': {
      path: pb.automation(ids.automationOff),
      open: async (page) => {
        await press('Add a step before step 1')(page);
        await page.getByRole('menuitem', { name: /^Call a webhook/ }).click();
        await press('Save steps')(page);
        await page.getByText(/^It is required|^It must/).waitFor();
      },
    },
    'automation-enable': { path: pb.automation(ids.automationOff), open: pressed('Enable') },
    'automation-disable': { path: pb.automation(ids.automation), open: pressed('Disable') },
    'automation-simulate': pb.automationTab(ids.automation, 'simulate'),
    'automation-simulated': {
      path: pb.automationTab(ids.automation, 'simulate'),
      open: async (page) => {
        await page.getByRole('textbox', { name: 'Payload' }).fill('{"name": "Ada", "plan": "pro"}');
        await press('Add an event that happens on the way')(page);
        await press('Simulate')(page);
        await press('Show the mail')(page);
        await page.getByTitle(/^Mail: Welcome, Ada/).waitFor();
      },
    },
    'automation-runs': pb.automationTab(ids.automation, 'runs'),
    'automation-runs-empty': pb.automationTab(ids.automationOff, 'runs'),
    'automation-cancel-runs': { path: pb.automationTab(ids.automation, 'runs'), open: pressed('Cancel runs') },
    'automation-settings': pb.automationTab(ids.automation, 'settings'),
    'automation-delete': { path: pb.automationTab(ids.automation, 'settings'), open: pressed('Delete automation') },
    'automation-run': pb.automationRun(ids.automation, ids.run),
    'automation-run-failed': pb.automationRun(ids.automation, ids.runFailed),
    'automation-missing': pb.automation(missing),
  };
}
