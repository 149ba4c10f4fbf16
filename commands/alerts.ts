import type { Command, CommandDefinition } from '#src/core/command.ts';
import { type AlertDesk, askerOfMessage } from '#src/core/personal-desk.ts';
import { personalResult } from './personal-result.ts';

export interface AlertsDeps {
  readonly alerts: Pick<AlertDesk, 'list'>;
}

export const alertsDefinition: CommandDefinition = {
  name: 'alerts',
  aliases: ['알림목록', '알림들'],
  description: { ko: '설정한 알림을 보여 주고 삭제합니다', en: 'lists your alerts, to delete them' },
  usage: { ko: '/alerts', en: '/alerts' },
  category: 'finance',
  isPrivate: true,
};

export const alerts = ({ alerts: desk }: AlertsDeps): Command => ({
  definition: alertsDefinition,
  execute: async (_args, ctx, signal) =>
    personalResult(await desk.list({}, askerOfMessage(ctx), signal), ctx),
});
