import { z } from 'zod';
import { slackTexts } from '../send/texts.ts';
import { openForm } from './forms.ts';
import { actorOf, type InteractionDeps, localeNow, sayCommand } from './interactions.ts';
import { readCommand } from '../receive/read-command.ts';
import { fields } from '../wire.ts';

/** The fields we read of a slash command. */
export const SLASH_CALL = fields({
  command: z.string(),
  text: z.string(),
  team_id: z.string(),
  user_id: z.string(),
  channel_id: z.string(),
  channel_name: z.string(),
  trigger_id: z.string(),
  response_url: z.string(),
});

type Ack = (response?: {
  readonly response_type: 'ephemeral' | 'in_channel';
  readonly text?: string;
}) => Promise<void>;

export const handleCommand = async (
  deps: InteractionDeps,
  call: z.infer<typeof SLASH_CALL>,
  ack: Ack,
): Promise<void> => {
  const { host } = deps;
  const { command, user_id: userId, channel_id: channelId, response_url: url, trigger_id: trigger } = call;
  if (!command || !userId || !channelId || !url || !trigger) {
    await ack();
    return;
  }
  const read = readCommand({ command, text: call.text }, host.commands());
  if (read.kind === 'unknown') {
    const { unknownCommand } = slackTexts(localeNow(deps, userId, `${command} ${call.text ?? ''}`));
    await ack({ response_type: 'ephemeral', text: unknownCommand({ typed: read.typed }) });
    return;
  }
  const { isPrivate, body } = read;
  const chat = { channelId, channelName: call.channel_name };
  const form = host.forms.open(body, actorOf(deps, { userId, channelId }, body));
  if (form) {
    // In parallel, because Slack allows three seconds for both.
    await Promise.all([ack(), openForm(deps, form, { trigger, url, userId, text: body, chat })]);
    return;
  }
  // In a channel everybody sees the command that is answered; in somebody else's direct chat nobody may.
  const isShown = !isPrivate && !channelId.startsWith('D');
  await ack(isShown ? { response_type: 'in_channel' } : undefined);

  const by = { userId, teamId: call.team_id, ...chat, url };
  await sayCommand(deps, by, { id: `command:${trigger}`, body, isPrivate });
};
