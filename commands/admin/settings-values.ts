import { LIVE_MODES, type LiveMode } from '#src/kernel/chat/live-answer.ts';
import type { GuildSetting } from '#src/kernel/chat/guild-settings.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { asId, type ChatId } from '#src/kernel/ids.ts';
import type { TurnContext } from '#src/kernel/chat/message.ts';
import type { MarkupReader } from '#src/platform/text/platform-markup.ts';
import { QUEUE_MODES, type QueueMode } from '#src/kernel/chat/queue.ts';
import { resolveTimeZone } from '#src/reading/time-zone.ts';

/** The names of settings, in display order. */
export const SETTING_NAMES = ['language', 'timezone', 'channels', 'roles', 'live', 'queue'] as const;
export type SettingName = (typeof SETTING_NAMES)[number];

/** Null removes an earlier choice. */
type Chosen<Value> = { readonly value: Value | null } | undefined;

const namesOf = <Value>(names: readonly (readonly [Value, string])[]): ReadonlyMap<string, Value> =>
  new Map(names.flatMap(([value, words]) => words.split(' ').map((word) => [word, value] as const)));

const SETTINGS = namesOf<SettingName>([
  ['language', 'language lang locale 언어'],
  ['timezone', 'timezone tz zone 시간대'],
  ['channels', 'channels channel 채널'],
  ['roles', 'roles role 역할'],
  ['live', 'live 표시 실시간'],
  ['queue', 'queue 대기열'],
]);

const LANGUAGES = namesOf<Locale | 'auto' | null>([
  ['auto', 'auto automatic 자동'],
  ['ko', 'ko kr korean 한국어 한글'],
  ['en', 'en english 영어'],
  [null, 'default 기본 기본값'],
]);

const LIVE = namesOf<LiveMode | null>([
  ...LIVE_MODES.map((mode) => [mode, mode] as const),
  ['off', '끄기'],
  ['status', '상태'],
  ['stream', '실시간'],
  [null, 'default 기본 기본값'],
]);

const MODES = namesOf<QueueMode | null>([
  ...QUEUE_MODES.map((mode) => [mode, mode] as const),
  [null, 'default reset 기본 기본값'],
]);

const readIn =
  <Value>(values: ReadonlyMap<string, Value | null>) =>
  (typed: string): Chosen<Value> => {
    const value = values.get(typed.toLowerCase());
    return value === undefined ? undefined : { value };
  };

export const settingNameOf = (typed: string): SettingName | undefined => SETTINGS.get(typed.toLowerCase());
export const readLanguage = readIn<NonNullable<GuildSetting['locale']>>(LANGUAGES);
export const readLive = readIn<LiveMode>(LIVE);
export const readZone = (typed: string): Chosen<string> => {
  if (/^(?:default|기본값?)$/iu.test(typed)) return { value: null };
  const value = resolveTimeZone(typed);
  return value === undefined ? undefined : { value };
};
export const readQueueMode = readIn<QueueMode>(MODES);

/** A change of a list of channels or roles. `unknown`: the named one cannot be identified. */
export type ListChange<Id extends string> =
  | { readonly action: 'add' | 'remove'; readonly id: Id | 'unknown' }
  | { readonly action: 'all' };

const ACTIONS = namesOf<'add' | 'remove' | 'all' | 'here'>([
  ['add', 'add allow 추가 허용'],
  ['remove', 'remove delete 제거 삭제 제외'],
  ['all', 'all everywhere everybody everyone default 전체 모두 기본'],
  ['here', 'here #here 여기'],
]);

export type MentionReader = Pick<MarkupReader, 'chatsMentionedIn' | 'rolesMentionedIn' | 'chatIdIn'>;

/**
 * Finds the named channel; without a name, it is the one of the message. The arguments of a command keep only the name of
 * a mentioned channel, so mentions are read from the message as the platform sent it.
 */
const chatIn = (
  words: readonly string[],
  ctx: Pick<TurnContext, 'rawBody' | 'chatId'>,
  markup: MentionReader,
): ChatId | 'unknown' => {
  const mentioned = markup.chatsMentionedIn(ctx.rawBody);
  const [word, ...others] = words;
  if (mentioned.length > 1 || others.length > 0) return 'unknown';
  if (mentioned[0] !== undefined) return asId<ChatId>(mentioned[0]);
  if (word === undefined || ACTIONS.get(word.toLowerCase()) === 'here') return ctx.chatId;
  const id = markup.chatIdIn(word);
  return id === undefined ? 'unknown' : asId<ChatId>(id);
};

export const readChannels = (
  [first = '', ...rest]: readonly string[],
  ctx: Pick<TurnContext, 'rawBody' | 'chatId'>,
  markup: MentionReader,
): ListChange<ChatId> | undefined => {
  const action = ACTIONS.get(first.toLowerCase());
  if (action === 'here') return rest.length > 0 ? undefined : { action: 'add', id: ctx.chatId };
  if (action === 'all') return rest.length > 0 ? undefined : { action };
  return action && { action, id: chatIn(rest, ctx, markup) };
};

/** A role can only be mentioned: its name is not unique. */
export const readRoles = (
  [first = '', ...rest]: readonly string[],
  { rawBody }: Pick<TurnContext, 'rawBody'>,
  markup: MentionReader,
): ListChange<string> | undefined => {
  const action = ACTIONS.get(first.toLowerCase());
  if (action === undefined || action === 'here') return undefined;
  if (action === 'all') return rest.length > 0 ? undefined : { action };
  const [id = 'unknown', ...others] = markup.rolesMentionedIn(rawBody);
  return { action, id: others.length > 0 ? 'unknown' : id };
};
