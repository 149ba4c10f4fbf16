import { z } from 'zod';
import { alertMessages } from './messages.ts';
import { type AlertService, requesterOfCall } from '#src/kernel/account-services.ts';
import { defineTool, type Tool } from '#src/kernel/tool.ts';
import { toolResult } from '#src/markets/answers/tool-result.ts';
import { nameInput } from '#src/markets/answers/name-input.ts';

export interface RemoveAlertDeps {
  readonly alerts: Pick<AlertService, 'remove'>;
}

export const removeAlert = ({ alerts }: RemoveAlertDeps): Tool =>
  defineTool({
    name: 'remove_alert',
    description: [
      'Delete an alert of the user who asks. Use it only when the user asks for it, and tell them what was deleted.',
      'Pass the id from list_alerts, or the name of what it watches where that has one alert only. Where several fit',
      'the result lists them; ask the user then instead of choosing. "all" deletes nothing: it tells the user how they',
      'do that themselves.',
    ].join(' '),
    group: 'finance',
    accessesSensitiveData: true,
    input: z.object({ which: nameInput().describe('The id of the alert, a name or ticker, or "all"') }),
    progress: (_input, locale) => alertMessages(locale).progress.removing(),
    run: async ({ which }, context, signal) =>
      toolResult(await alerts.remove({ which }, requesterOfCall(context, `remove_alert ${which}`), signal)),
  });
