import { calendarRoutes } from './routes.ts';

export const calendarFeature = { name: 'calendar', routes: calendarRoutes } as const;
