import { z } from 'zod';
import { asId, type EventId, type MessageId } from '#src/kernel/ids.ts';
import type { MsgContext } from '#src/kernel/chat/message.ts';
import { slackTexts } from '../send/texts.ts';
import { openForm } from './forms.ts';
import { senderOf } from '../receive/inbound.ts';
import {
  actorOf,
  type InteractionDeps,
  localeNow,
  placeOfInteraction,
  receiveInteraction,
} from './interactions.ts';
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
  const { host, self, directory, clock } = deps;
  const { command, user_id: userId, channel_id: channelId, response_url: url, trigger_id: trigger } = call;
  if (!command || !userId || !channelId || !url || !trigger) {
    await ack();
    return;
  }
  const read = readCommand({ command, text: call.text }, host.commands());
  if (read.kind === 'unknown') {
    const { unknownCommand } = slackTexts(localeNow(deps, userId, call.text ?? ''));
    await ack({ response_type: 'ephemeral', text: unknownCommand({ typed: read.typed }) });
    return;
  }
  const { isPrivate, body } = read;
  const form = host.forms.open(body, actorOf(deps, { userId, channelId }, body));
  if (form) {
    // In parallel, because Slack allows three seconds for both.
    await Promise.all([ack(), openForm(deps, form, { trigger, url, userId, text: body })]);
    return;
  }
  // In a channel everybody sees the command that is answered; in somebody else's direct chat nobody may.
  const isShown = !isPrivate && !channelId.startsWith('D');
  await ack(isShown ? { response_type: 'in_channel' } : undefined);

  const [person, place] = await Promise.all([
    directory.person(userId),
    placeOfInteraction(deps, channelId, call.channel_name, userId),
  ]);
  const { isForeign, ...where } = place;
  const isNamed =
    where.chatType !== 'direct' && !['privategroup', 'directmessage'].includes(call.channel_name ?? '');
  const message: MsgContext = {
    // In a shared channel `team_id` is the workspace of the command, which may differ from the person's.
    ...senderOf(userId, { self, person }, person?.teamId ?? call.team_id),
    ...where,
    id: asId<EventId>(`command:${trigger}`),
    messageId: asId<MessageId>(`command:${trigger}`),
    isFromSelf: false,
    mentionsBot: true,
    interaction: { token: url, isPrivate: isPrivate || isForeign },
    ...(isNamed && call.channel_name ? { groupSubject: call.channel_name } : {}),
    body,
    timestamp: clock.now(),
  };
  await receiveInteraction(deps, message, url);
};
