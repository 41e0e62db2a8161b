import { chooseWorkspace } from '../../api/active-workspace.ts';
import { pb } from '../../lib/paths.ts';

/** Changing the workspace loads the page anew, so that nothing of the other workspace stays behind. */
export function enterWorkspace(id: string): void {
  chooseWorkspace(id);
  window.location.assign(pb.overview());
}
