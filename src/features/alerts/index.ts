export { refused } from './alert-answers.ts';
export { chatNoticeMessages } from './chat-notice-messages.ts';
export { alertTitle, describeTerms } from './describe-condition.ts';
export { type EndReason, type NoticeDeps, alertEndNotice, endNotice } from './end-notice.ts';
export { alertMessages } from './messages.ts';
export { readAlert } from './read-condition.ts';
export { alertInput } from './set-alert.ts';
export type { AlertStore } from './store-types.ts';
