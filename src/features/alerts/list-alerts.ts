import { z } from 'zod';
import { alertMessages } from './messages.ts';
import { type AlertService, requesterOfCall } from '#src/kernel/account-services.ts';
import { defineTool, type Tool } from '#src/kernel/tool.ts';
import { toolResult } from '#src/markets/answers/tool-result.ts';

export interface ListAlertsDeps {
  readonly alerts: Pick<AlertService, 'list'>;
}

export const listAlerts = ({ alerts }: ListAlertsDeps): Tool =>
  defineTool({
    name: 'list_alerts',
    description: [
      'List the active alerts of the user who asks, with their ids, what each waits for, how often and until when.',
      'Use it when the user asks which alerts they have, and before remove_alert where it is not clear which one',
      'they mean.',
    ].join(' '),
    group: 'finance',
    accessesSensitiveData: true,
    input: z.object({}),
    progress: (_input, locale) => alertMessages(locale).progress.listing(),
    run: async (_input, context, signal) =>
      toolResult(await alerts.list({}, requesterOfCall(context, 'list_alerts'), signal)),
  });
