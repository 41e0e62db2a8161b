import { capturedRoutes } from './captured/routes.ts';
import type { SimulatePorts } from './captured/simulate.ts';
import { jobRoutes } from './jobs/routes.ts';
import type { ScheduledJobPorts } from './jobs/scheduled-job.ts';
import type { RecordPorts } from './records/email-content.ts';
import { recordRoutes } from './records/routes.ts';
import type { SendingPorts } from './sending/newsletter-permission.ts';
import type { SchedulePorts } from './sending/later/schedule.ts';
import { sendingRoutes } from './sending/routes.ts';

export const createEmailsFeature = (
  ports: SendingPorts & SchedulePorts & ScheduledJobPorts & RecordPorts & SimulatePorts,
) =>
  ({
    name: 'emails',
    routes: [...sendingRoutes(ports), ...jobRoutes(ports), ...recordRoutes(ports), ...capturedRoutes(ports)],
  }) as const;
