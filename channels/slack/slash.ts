import type { CommandDefinition } from '#src/kernel/command-definition.ts';
import { editDistance } from '#src/kernel/edit-distance.ts';
import { asId, type EventId, type MessageId } from '#src/kernel/ids.ts';
import type { InboundMessage } from '#src/kernel/message.ts';
import { shortened } from '#src/kernel/text.ts';
import { slackMessages } from './messages.ts';
import { openForm } from './forms.ts';
import { OWN_COMMAND } from './markup.ts';
import { senderOf, unescapeText } from './inbound.ts';
import {
  formSenderOf,
  type InteractionDeps,
  localeNow,
  placeOfInteraction,
  receiveInteraction,
} from './interactions.ts';

/** The fields we read of a slash command. */
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

type ReadCommand =
  | { readonly kind: 'command'; readonly isPrivate: boolean; readonly body: string }
  /** `/finclaw 삼성전자 얼마야?`: an ordinary message to the bot. */
  | { readonly kind: 'question'; readonly isPrivate: false; readonly body: string }
  | { readonly kind: 'unknown'; readonly typed: string };

/** Words of an English sentence: `what` is not a mistyped `watch`. */
const OF_SENTENCES: ReadonlySet<string> = new Set(
  (
    'a about all an and any are at can could did do does for from give good has have how i in is it me much my of on ' +
    'or please should show tell than that the this to today was what when where which who why will with would you your'
  ).split(' '),
);
const MAX_COMMAND_WORDS = 4;
/** A shorter word that resembles a command is more likely a name: `ford` is not `find`, `pltr` not `alert`. */
const MIN_MISTYPED_CHARS = 5;

/** Whether the line is a command with one typing mistake and not a sentence that begins with a similar word. */
const isMistyped = (line: string, name: string, definitions: readonly CommandDefinition[]): boolean => {
  const words = line.toLowerCase().split(/\s+/u);
  if (words.length > MAX_COMMAND_WORDS || name.length < MIN_MISTYPED_CHARS) return false;
  if (!/^[a-z]+$/u.test(name) || line.includes('?')) return false;
  if (words.some((word) => OF_SENTENCES.has(word))) return false;
  const names = definitions.flatMap((each) => [each.name, ...each.aliases]);
  return names.some((known) => editDistance(name, known, 1) <= 1);
};

/**
 * `/price AAPL` and `/finclaw price AAPL` are the same. `/finclaw` alone shows the help; followed by other text it asks
 * the bot. A misspelt command stays as it is, because the answer suggests the right one.
 */
export const readCommand = (
  { command, text = '' }: Pick<SlashCall, 'command' | 'text'>,
  definitions: readonly CommandDefinition[],
): ReadCommand => {
  const isOwn = command.toLowerCase() === OWN_COMMAND;
  const line = unescapeText(isOwn ? text.trim() || 'help' : `${command.slice(1)} ${text}`).trim();
  const [, word = '', rest = ''] = /^\/?(\S*)\s*([^]*)/.exec(line) ?? [];
  const name = word.toLowerCase().normalize('NFC');
  const definition = definitions.find((each) => each.name === name || each.aliases.includes(name));
  // `/finclaw help me choose a fund` and `/finclaw why did Apple fall?` are questions.
  const isSentence =
    isOwn &&
    ((definition?.name === 'help' && rest.includes(' ')) || (definition?.name === 'why' && rest !== ''));
  if (definition && !isSentence) {
    const { isPrivate = false } = definition;
    return { kind: 'command', isPrivate, body: `/${definition.name} ${rest}`.trim() };
  }
  if (!isOwn) return { kind: 'unknown', typed: shortened(command) };
  return line.startsWith('/') || isMistyped(line, name, definitions)
    ? { kind: 'command', isPrivate: true, body: `/${name} ${rest}`.trim() }
    : { kind: 'question', isPrivate: false, body: line };
};

type Ack = (response?: {
  readonly response_type: 'ephemeral' | 'in_channel';
  readonly text?: string;
}) => Promise<void>;

export const handleCommand = async (deps: InteractionDeps, call: SlashCall, ack: Ack): Promise<void> => {
  const { host, self, directory, clock } = deps;
  const { user_id: userId, channel_id: channelId, response_url: url, trigger_id: trigger } = call;
  const read = readCommand(call, host.commands());
  if (read.kind === 'unknown') {
    const { unknownCommand } = slackMessages(localeNow(deps, userId, call.text ?? ''));
    await ack({ response_type: 'ephemeral', text: unknownCommand({ typed: read.typed }) });
    return;
  }
  const { isPrivate, body } = read;
  const form = host.forms.open(body, formSenderOf(deps, userId, body));
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
  const message: InboundMessage = {
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
