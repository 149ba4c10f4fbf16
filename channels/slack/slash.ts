import type { CommandDefinition } from '#src/core/command.ts';
import { texts } from '#src/core/i18n.ts';
import { asId, type EventId, type MessageId } from '#src/core/ids.ts';
import type { InboundMessage } from '#src/core/message.ts';
import { shortened } from '#src/core/text.ts';
import { openForm } from './forms.ts';
import { senderOf } from './inbound.ts';
import { type InteractionDeps, formSenderOf, localeNow, placeOfAct, receiveAct } from './interactions.ts';
import { unescapeText } from './message-text.ts';

/** The command that always works: all others are reached through it. */
export const OWN_COMMAND = '/finclaw';

/** Slack's own; an app cannot have them. Ours of these names are reached through `/finclaw`. */
export const RESERVED: ReadonlySet<string> = new Set(
  (
    'active apps archive away call canvas collapse dm dnd expand feed feedback help huddle invite join keys kick ' +
    'leave me msg mute open part people prefs remind remove rename search settings share shortcuts shrug star ' +
    'status topic unarchive who'
  ).split(' '),
);

/** What we look at of a slash command. */
export interface SlashCall {
  readonly command: string;
  readonly text?: string;
  readonly team_id?: string;
  readonly user_id: string;
  readonly channel_id: string;
  readonly channel_name?: string;
  readonly trigger_id: string;
  readonly response_url: string;
}

export type ReadCommand =
  | { readonly kind: 'known'; readonly definition: CommandDefinition; readonly body: string }
  | { readonly kind: 'unknown'; readonly typed: string };

/** `/price AAPL` and `/finclaw price AAPL` are the same; `/finclaw` alone asks for help. */
export const readCommand = (
  { command, text = '' }: Pick<SlashCall, 'command' | 'text'>,
  definitions: readonly CommandDefinition[],
): ReadCommand => {
  const isOwn = command.toLowerCase() === OWN_COMMAND;
  const line = unescapeText(isOwn ? text.trim() || 'help' : `${command.slice(1)} ${text}`).trim();
  const [, word = '', rest = ''] = /^\/?(\S*)\s*([^]*)/.exec(line) ?? [];
  const name = word.toLowerCase().normalize('NFC');
  const definition = definitions.find((each) => each.name === name || each.aliases.includes(name));
  return definition
    ? { kind: 'known', definition, body: `/${definition.name} ${rest}`.trim() }
    : { kind: 'unknown', typed: shortened(isOwn ? `${OWN_COMMAND} ${word}` : command) };
};

/** What goes back at once, before anybody was asked anything. */
type Ack = (response?: {
  readonly response_type: 'ephemeral' | 'in_channel';
  readonly text?: string;
}) => Promise<void>;

export const handleCommand = async (deps: InteractionDeps, call: SlashCall, ack: Ack): Promise<void> => {
  const { host, self, directory, clock } = deps;
  const { user_id: userId, channel_id: channelId, response_url: url, trigger_id: trigger } = call;
  const read = readCommand(call, host.commands());
  if (read.kind === 'unknown') {
    const { unknownCommand } = texts(localeNow(deps, userId, call.text ?? '')).slack;
    await ack({ response_type: 'ephemeral', text: unknownCommand({ typed: read.typed }) });
    return;
  }
  const { definition, body } = read;
  const form = host.forms.open(body, formSenderOf(deps, userId, body));
  if (form) {
    // Both at once: the trigger lasts as long as the acknowledgement may take.
    await Promise.all([ack(), openForm(deps, form, { trigger, url, userId, text: body })]);
    return;
  }
  // Shown to all who are there, it says whose question the answer is to. In a private chat that may be another's: no.
  const isShown = !definition.isPrivate && !channelId.startsWith('D');
  await ack(isShown ? { response_type: 'in_channel' } : undefined);

  const [person, place] = await Promise.all([
    directory.person(userId),
    placeOfAct(deps, channelId, call.channel_name, userId),
  ]);
  const { isForeign, ...where } = place;
  const isNamed =
    where.chatType !== 'direct' && !['privategroup', 'directmessage'].includes(call.channel_name ?? '');
  const message: InboundMessage = {
    // Slack names the workspace of the command, which in a shared channel need not be that of the person.
    ...senderOf(userId, { self, person }, person?.teamId ?? call.team_id),
    ...where,
    id: asId<EventId>(`command:${trigger}`),
    messageId: asId<MessageId>(`command:${trigger}`),
    isFromSelf: false,
    mentionsBot: true,
    interaction: { token: url, isPrivate: definition.isPrivate === true || isForeign },
    ...(isNamed && call.channel_name ? { groupSubject: call.channel_name } : {}),
    body,
    timestamp: clock.now(),
  };
  await receiveAct(deps, message, url);
};
