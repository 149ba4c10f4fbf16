import type { AlertDesk } from '#src/core/personal-desk.ts';
import type { AlertDeskDeps } from './alert-answers.ts';
import { removeAnswer, snoozeAnswer } from './change-answers.ts';
import { listAnswer } from './list-answer.ts';
import { setAnswer } from './set-answer.ts';

export const createAlertDesk = (deps: AlertDeskDeps): AlertDesk => ({
  set: setAnswer(deps),
  list: listAnswer(deps),
  remove: removeAnswer(deps),
  snooze: snoozeAnswer(deps),
});
