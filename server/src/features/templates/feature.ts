import { templateRoutes } from './routes.ts';
import type { TemplatePorts } from './wiring.ts';

export const createTemplatesFeature = (ports: TemplatePorts) =>
  ({ name: 'templates', routes: templateRoutes(ports) }) as const;
