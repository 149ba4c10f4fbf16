import type { Feature } from '#src/features/feature.ts';
import { listAlerts, removeAlert, setAlert } from './tools.ts';

export const alerts = {
  tools: {
    list_alerts: listAlerts,
    remove_alert: removeAlert,
    set_alert: setAlert,
  },
} satisfies Feature;

export { endNotice, type EndReason, type NoticeDeps } from './end-notice.ts';
export { alertTexts } from './texts.ts';
