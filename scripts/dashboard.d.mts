/** The folder of the build; undefined where there is no dashboard to build. */
export function buildDashboardIfNeeded(): Promise<string | undefined>;
