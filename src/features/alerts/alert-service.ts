import type { AlertService } from '#src/kernel/account-services.ts';
import type { AlertServiceDeps } from './alert-answers.ts';
import { removeAnswer, snoozeAnswer } from './change-answers.ts';
import { listAnswer } from './list-answer.ts';
import { setAnswer } from './set-answer.ts';

export const createAlertService = (deps: AlertServiceDeps): AlertService => ({
  set: setAnswer(deps),
  list: listAnswer(deps),
  remove: removeAnswer(deps),
  snooze: snoozeAnswer(deps),
});
