import '@mantine/notifications/styles.layer.css';
import { Notifications } from '@mantine/notifications';

/** The place of `ui/toasts.tsx`; a chunk of its own, because no first page shows one. */
export const Toasts = () => <Notifications position="bottom-right" limit={4} containerWidth={380} />;
