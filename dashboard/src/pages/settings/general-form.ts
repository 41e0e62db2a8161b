import type { UpdateWorkspaceRequest, Workspace } from '../../api/generated/types.gen.ts';

export interface GeneralValues extends Record<string, unknown> {
  name: string;
  timezone: string;
  track_opens: boolean;
  track_clicks: boolean;
  postal_address: string;
}

export const valuesOf = ({ name, timezone, track_opens, track_clicks, postal_address }: Workspace): GeneralValues => ({
  name,
  timezone,
  track_opens,
  track_clicks,
  postal_address: postal_address ?? '',
});

/** The fields that are another than before: somebody else's change of the others is not undone. */
export function changeOf(values: GeneralValues, saved: GeneralValues): UpdateWorkspaceRequest {
  const name = values.name.trim();
  return {
    ...(name === saved.name ? {} : { name }),
    ...(values.timezone === saved.timezone ? {} : { timezone: values.timezone }),
    ...(values.track_opens === saved.track_opens ? {} : { track_opens: values.track_opens }),
    ...(values.track_clicks === saved.track_clicks ? {} : { track_clicks: values.track_clicks }),
    ...(values.postal_address === saved.postal_address ? {} : { postal_address: values.postal_address.trim() || null }),
  };
}
