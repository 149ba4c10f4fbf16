import type { Card } from './card.ts';
import type { CommandIn } from './command-definition.ts';
import type { RatedAnswer } from './feedback.ts';
import type { Locale } from '../locale.ts';
import type { Plot } from './plot.ts';
import type {
  AccountId,
  ApprovalId,
  ChannelId,
  ChatId,
  DeliveryId,
  EventId,
  InboxId,
  MessageId,
  SessionKey,
  ThreadId,
  Timestamp,
  UserId,
} from '../ids.ts';
import type { ZoneSource } from '../time.ts';

export type ChatType = 'direct' | 'group' | 'channel';

export type ChatPlace = Pick<MsgContext, 'channelId' | 'chatId' | 'chatType'>;

export interface MediaAttachment {
  readonly kind: 'image' | 'audio' | 'video' | 'file';
  readonly mimeType: string;
  readonly name: string;
  /** A platform address, or a path below the data directory. */
  readonly url: string;
  readonly sizeBytes?: number;
  readonly altText?: string;
  /** The same picture as numbers, for channels that draw it with characters. */
  readonly plot?: Plot;
  /** Part of a forward that the bot may have written, so its addresses are not trusted as chosen by the person. */
  readonly isMaybeOurs?: true;
  /** Spoken by the sender into the platform's app. A sound file of any origin is not, and neither is a forward. */
  readonly isVoice?: true;
  /** The length of a recording as the platform reports it. */
  readonly durationSeconds?: number;
  /** The words of a recording: transcribed by the platform, or by a provider before a restart. */
  readonly words?: string;
}

/**
 * The reply handle of an interaction. It is valid for 15 minutes (Discord) or 30 (Slack). After that, and if it is
 * refused, the answer goes to the person's direct chat, never to the channel.
 */
export interface InteractionReply {
  /** Discord: the interaction's token. Slack: its `response_url`. Never shown, never logged. */
  readonly token: string;
  /** The interaction was acknowledged as ephemeral, which cannot be changed afterwards. */
  readonly isPrivate: boolean;
  /** A button was pressed whose answer takes the place of its message. */
  readonly updates?: boolean;
  /** That message, where the platform names it. */
  readonly pressedMessageId?: MessageId;
}

/** A file of a message that is passed on: somebody else may have spoken it. */
export const asPassedOn = ({ isVoice: _theirs, ...file }: MediaAttachment): MediaAttachment => file;

export interface ForwardedText {
  readonly authorName?: string;
  readonly text: string;
  /** The platform reports another author than the bot. Absent: the bot may have written it. */
  readonly isFromOthers?: true;
}

/**
 * A typed answer to a question of the bot, instead of a button. It is parsed once on arrival and stored with the
 * message, so that it keeps its meaning after a restart.
 */
export type TypedReply =
  | {
      readonly kind: 'decision';
      readonly approvalId: ApprovalId;
      readonly verdict: 'approved' | 'denied';
    }
  /** Neither a yes nor a no: the question is asked again. */
  | { readonly kind: 'unclear'; readonly approvalIds: readonly ApprovalId[] }
  | {
      /** `which`: a yes or a no while several questions are open. `decisions`: one answer to all, such as `둘 다`. */
      readonly kind: 'which' | 'decisions';
      readonly verdict: 'approved' | 'denied';
      readonly approvalIds: readonly ApprovalId[];
    }
  | { readonly kind: 'expired'; readonly approvalId: ApprovalId }
  /** A no to the question of a command. */
  | { readonly kind: 'declined' }
  /** The number of a choice that is asked about first. A yes to the next question runs its command. */
  | {
      readonly kind: 'sure';
      readonly command: string;
      readonly label: string;
      readonly locale: Locale;
    };

/** A platform event in the common form. Plain data: the inbox stores it as it is. */
export interface MsgContext {
  readonly id: EventId;
  readonly messageId: MessageId;
  readonly channelId: ChannelId;
  readonly accountId: AccountId;
  readonly chatId: ChatId;
  readonly chatType: ChatType;
  readonly threadId?: ThreadId;
  readonly senderId: UserId;
  readonly senderName: string;
  readonly senderRoles: readonly string[];
  /** The bot's own message, echoed by the platform. */
  readonly isFromSelf: boolean;
  readonly isFromBot?: boolean;
  /** The bot was addressed by name. */
  readonly mentionsBot?: boolean;
  readonly replyToMessageId?: MessageId;
  /** The Discord guild or Slack team whose settings apply here. */
  readonly guildId?: string;
  /** The sender's own team, if it differs (a Slack Connect guest). */
  readonly senderGuildId?: string;
  /** The sender manages the guild (Discord: Manage Server; Slack: workspace admin). */
  readonly managesGuild?: boolean;
  /** The sender registered the bot with the platform (Discord: the application's owner or team). */
  readonly ownsBot?: boolean;
  /** Present for a slash command or a button press. */
  readonly interaction?: InteractionReply;
  /** The name of the channel: untrusted text. */
  readonly groupSubject?: string;
  /** The name of the thread: untrusted text. */
  readonly threadTitle?: string;
  /** Written by the sender, without forwards. */
  readonly body: string;
  readonly forwarded?: readonly ForwardedText[];
  readonly media?: readonly MediaAttachment[];
  /** The sender's language as reported by the platform. */
  readonly locale?: Locale;
  /** The sender's language tag: `ko`, `en-GB`. */
  readonly languageTag?: string;
  /** The server's language tag. */
  readonly guildLanguageTag?: string;
  /** The time zone in the sender's platform profile. */
  readonly timeZone?: string;
  /** Set by the gateway if the message answers a question of the bot. Such a message does not go to the model. */
  readonly reply?: TypedReply;
  /** Set by the gateway when the message or its answer was deleted on the platform. It is not quoted any more. */
  readonly isDeleted?: true;
  readonly timestamp: Timestamp;
}

/** Another message of the same sender in the same turn. */
export interface MergedMessage {
  readonly inboxId: InboxId;
  readonly messageId: MessageId;
  /** As the model reads it. */
  readonly body: string;
}

/** An edit or a deletion of a message on the platform. */
export type MessageChange = Pick<MsgContext, 'channelId' | 'accountId' | 'chatId' | 'messageId'> &
  ({ readonly kind: 'edited'; readonly body: string } | { readonly kind: 'deleted' });

/** One accepted message on its way through the pipeline. */
export interface TurnContext {
  readonly inboxId: InboxId;
  /** The other messages of the turn, in order. `rawBody` contains their text too. */
  readonly merged: readonly MergedMessage[];
  readonly messageId: MessageId;
  /** As the model reads it, with line breaks. */
  readonly bodyForAgent: string;
  /** As sent by the platform. */
  readonly rawBody: string;
  readonly senderId: UserId;
  readonly senderName: string;
  readonly userRoles: readonly string[];
  readonly isAdmin: boolean;
  readonly channelId: ChannelId;
  readonly accountId: AccountId;
  readonly chatId: ChatId;
  readonly chatType: ChatType;
  readonly sessionKey: SessionKey;
  /** In a thread: the conversation of the parent chat. */
  readonly parentSessionKey?: SessionKey;
  readonly groupSubject?: string;
  readonly messageThreadId?: ThreadId;
  readonly threadTitle?: string;
  readonly guildId?: string;
  readonly managesGuild: boolean;
  /** The bot was mentioned in a group or channel. */
  readonly mentionsBot: boolean;
  readonly replyToMessageId?: MessageId;
  readonly interaction?: InteractionReply;
  readonly forwarded?: readonly ForwardedText[];
  readonly media?: readonly MediaAttachment[];
  /** The words of the sender's voice messages, which `bodyForAgent` contains too. They are shown above the answer. */
  readonly heard?: string;
  readonly locale: Locale;
  /** The sender's language as the platform reports it. */
  readonly platformLocale?: Locale;
  readonly timeZone: string;
  /** How the time zone is known. Absent: it is certainly the person's own. */
  readonly zoneFrom?: ZoneSource;
  readonly timestamp: Timestamp;
  /** The command in `rawBody`, parsed on arrival; null for a question. Absent: not parsed yet. */
  readonly command?: CommandIn | null;
  /** Nothing is stored of an answer yet: this process accepted the message, and no attempt was made before. */
  readonly isFirstAttempt?: boolean;
}

/** Platforms limit the value of a button. */
export const MAX_PRESSED_CHARS = 80;

/** A button that sends a command. */
export interface Choice {
  readonly label: string;
  /** Processed as if the person had typed it: `/price 005380.KS`. At most 80 characters. */
  readonly command: string;
  /**
   * What can be typed instead of pressing it: a yes, a no, or its number among the `pick` choices. Absent: nothing, except
   * where all choices have numbers.
   */
  readonly answers?: 'yes' | 'no' | 'pick';
  /**
   * What becomes of the message when the person it is for presses the button. `replaces`: the answer takes its place.
   * `ends`: its buttons cannot be pressed again. `once`: this button cannot. Absent: it stays as it is.
   */
  readonly effect?: ChoiceEffect;
  /** The message already shows what this choice leads to. It is marked where the platform can. */
  readonly isCurrent?: boolean;
  /** It deletes something: shown as a warning where the platform can, and asked about before it is done. */
  readonly isDestructive?: boolean;
}

/** Whether a press is asked about first. The yes to a question is not asked about again. */
export const asksFirst = ({ isDestructive = false, answers }: Choice): boolean =>
  isDestructive && answers !== 'yes';

/**
 * The choices in the order of their numbers, on channels that number all of them. Those that answer a list come first, so
 * that their numbers are the same everywhere.
 */
export const numberedChoices = (choices: readonly Choice[]): readonly Choice[] => [
  ...choices.filter(({ answers }) => answers === 'pick'),
  ...choices.filter(({ answers }) => answers !== 'pick'),
];

export type ChoiceEffect = 'replaces' | 'ends' | 'once';

const EFFECTS: ReadonlySet<unknown> = new Set<ChoiceEffect | undefined>([
  'replaces',
  'ends',
  'once',
  undefined,
]);

const ANSWERS: ReadonlySet<unknown> = new Set<Choice['answers']>(['yes', 'no', 'pick', undefined]);

/** Whether a value of unknown origin is a choice that sends a short command. */
export const isChoice = (value: unknown): value is Choice => {
  if (typeof value !== 'object' || value === null) return false;
  const { label, command, answers, effect } = value as Partial<Choice>;
  const isCommand =
    typeof command === 'string' && command.startsWith('/') && command.length <= MAX_PRESSED_CHARS;
  return typeof label === 'string' && isCommand && ANSWERS.has(answers) && EFFECTS.has(effect);
};

/** Whether a value of unknown origin is a control: a choice that answers no question. */
export const isControl = (value: unknown): value is Choice => isChoice(value) && value.answers === undefined;

/** A question that was answered with yes or no cannot be answered again, and nothing is deleted twice. */
export const effectOf = ({ effect, answers, isDestructive }: Choice): ChoiceEffect | undefined =>
  effect ?? (answers === 'yes' || answers === 'no' || isDestructive ? 'ends' : undefined);

export interface ReplyPayload {
  readonly text: string;
  /** Shown below the text. Only channels with `supportsCards` get them. */
  readonly cards?: readonly Card[];
  /** The cards are the answer: notifications, which do not show cards, begin with them and not with the text. */
  readonly isLedByCards?: true;
  /** For notifications, whose channel is not known in advance: replaces `text` if the cards are shown. */
  readonly textWithCards?: string;
  readonly choices?: readonly Choice[];
  /** Instructions for platforms without buttons. */
  readonly typed?: string;
  /**
   * For notifications that do not depend on whether the recipient may use the bot: what was decided about them, or done
   * with their data.
   */
  readonly isSentAnyway?: true;
  readonly media?: readonly MediaAttachment[];
  /** Visible to the recipient only; a platform without such messages sends it to the direct chat. */
  readonly ephemeral?: boolean;
  /** Ephemeral only to avoid noise: a platform without such messages posts it in the chat. */
  readonly isHarmless?: boolean;
  /** The answer that this message ends: its readers are asked what they think of it. */
  readonly rated?: RatedAnswer;
  /** A message of the program that ends an incomplete answer. */
  readonly isClosing?: boolean;
  /** For notifications: what the text rests on. They are stored with the sample mark in place of these. */
  readonly facts?: readonly { readonly isSample: boolean }[];
  /** The recipient's language, for colours and notes beside the text. */
  readonly locale?: Locale;
  /** The only person to mention and notify. Other mentions in the text notify nobody. */
  readonly mentions?: UserId;
}

/** Where an answer goes. */
export interface ReplyTarget {
  readonly channelId: ChannelId;
  readonly accountId: AccountId;
  readonly chatId: ChatId;
  readonly threadId?: ThreadId;
  readonly replyToMessageId?: MessageId;
  /** The reader of an ephemeral payload. */
  readonly recipientId: UserId;
  /** The direct chat with the recipient; then `chatId` is the person's id. */
  readonly isDirect?: true;
  /** For a direct chat: the chat of the request, where the person is told if the direct chat is closed. */
  readonly askedIn?: { readonly chatId: ChatId; readonly threadId?: ThreadId };
  /** The interaction to answer while it is valid. Then `replyToMessageId` is not the id of a visible message. */
  readonly interaction?: InteractionReply;
}

type ReplySource = Pick<
  MsgContext,
  'channelId' | 'accountId' | 'chatId' | 'chatType' | 'messageId' | 'senderId' | 'interaction'
> & {
  readonly threadId?: ThreadId | undefined;
};

export const replyTargetOf = (source: ReplySource): ReplyTarget => ({
  channelId: source.channelId,
  accountId: source.accountId,
  chatId: source.chatId,
  ...(source.threadId ? { threadId: source.threadId } : {}),
  replyToMessageId: source.messageId,
  recipientId: source.senderId,
  ...(source.chatType === 'direct' ? { isDirect: true } : {}),
  ...(source.interaction ? { interaction: source.interaction } : {}),
});

/** One platform message: one part of an answer. `deliveryId` lets a platform detect a repeated send. */
export interface OutboundMessage {
  readonly deliveryId: DeliveryId;
  readonly target: ReplyTarget;
  readonly payload: ReplyPayload;
  /** The live message to edit instead of posting a new one. */
  readonly replaces?: MessageId;
  /** When it was first tried, if it may have arrived: the channel looks for it before sending again. */
  readonly inDoubtSince?: Timestamp;
  /** Other parts of the answer were sent before, perhaps by another process. */
  readonly isContinued?: boolean;
}

/** A message before the one that goes to the model. */
export interface EarlierMessage {
  readonly messageId: MessageId;
  readonly authorName: string;
  /** Written by the bot. */
  readonly isOurs: boolean;
  /** The bot's answer to a slash command, which is not part of the conversation. */
  readonly isAside?: boolean;
  /** As people see it, with the names of mentioned people and of files. */
  readonly text: string;
  /** As typed, if it differs. Commands are recognised in it. */
  readonly typed?: string;
  /** The text contains a forward that the bot may have written. */
  readonly isForward?: true;
  /** Whether the thread was started on this message, or on another message of its turn. */
  readonly root?: 'itself' | 'same-turn';
  /** Written by the sender of the current message. */
  readonly isSenders?: true;
  /** The conversation already contains its text, so the quote only refers to it. */
  readonly isHeld?: true;
  readonly at: Timestamp;
}

/** The target for a later notification: it replies to no message, and interactions have expired by then. */
export const placeOf = ({
  replyToMessageId: _answered,
  interaction: _gone,
  ...place
}: ReplyTarget): ReplyTarget => place;

/** A key for the channel or group, including its threads. Undefined for a direct chat. */
export const sharedChatOf = ({ channelId, accountId, chatId, isDirect }: ReplyTarget): string | undefined =>
  isDirect ? undefined : JSON.stringify([channelId, accountId, chatId]);

export const isSamePlace = (a: ReplyTarget, b: ReplyTarget): boolean =>
  a.channelId === b.channelId &&
  a.accountId === b.accountId &&
  a.chatId === b.chatId &&
  a.threadId === b.threadId;
