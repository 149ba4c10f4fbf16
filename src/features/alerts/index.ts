import type { Feature } from '#src/features/feature.ts';
import { listAlerts, removeAlert, setAlert } from './tools.ts';

export const alerts = {
  tools: {
    list_alerts: listAlerts,
    remove_alert: removeAlert,
    set_alert: setAlert,
  },
} satisfies Feature;

export { refused } from './alert-answers.ts';
export { chatNoticeMessages } from './chat-notice-messages.ts';
export { alertTitle, describeTerms } from './describe-condition.ts';
export { type EndReason, type NoticeDeps, alertEndNotice, endNotice } from './notices.ts';
export { alertMessages } from './messages.ts';
export { readAlert } from './read-condition.ts';
export { alertInput } from './tools.ts';
export type { AlertStore } from './store-types.ts';
