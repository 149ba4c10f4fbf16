import type { ChannelKind, FakeChannel, Json } from './api.ts';
import type { Core } from './core.ts';
import { refusalWithReasons, SlackRefusal } from './errors.ts';
import { BOT } from './world.ts';

/** One call of a Web API method whose token is right. */
export interface Call {
  readonly core: Core;
  readonly args: Json;
  /** Refuses unless the token has one of these. */
  readonly need: (...scopes: readonly string[]) => void;
}

export interface Method {
  /** One of them is enough. None: any token will do. */
  readonly scopes: readonly string[];
  /** Returns what stands beside `ok: true`; throws `SlackRefusal`. */
  readonly run: (call: Call) => Json;
}

export type Methods = Readonly<Record<string, Method>>;

export const optional = (args: Json, name: string): string | undefined => {
  const value = args[name];
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
};

export const required = (args: Json, name: string, error = 'invalid_arguments'): string => {
  const value = optional(args, name);
  if (value === undefined) throw refusalWithReasons(error, `missing required field: ${name}`);
  return value;
};

export const isSet = (args: Json, name: string): boolean => ['true', '1'].includes(String(args[name]));

export const listOf = (args: Json, name: string, error = 'invalid_arguments'): readonly Json[] => {
  const value = args[name];
  if (value === undefined || value === null || value === '') return [];
  if (!Array.isArray(value)) throw new SlackRefusal(error);
  return value as readonly Json[];
};

const SCOPE_OF_KIND: Readonly<Record<ChannelKind, string>> = {
  public: 'channels',
  private: 'groups',
  im: 'im',
  mpim: 'mpim',
};

export const scopeOf = ({ kind }: FakeChannel, right: 'read' | 'history'): string =>
  `${SCOPE_OF_KIND[kind]}:${right}`;

export const allKinds = (right: 'read' | 'history'): readonly string[] =>
  Object.values(SCOPE_OF_KIND).map((kind) => `${kind}:${right}`);

/** A channel that the bot may know of: private ones only where it is a member. */
export const knownChannel = ({ core, args }: Call, name = 'channel'): FakeChannel => {
  const channel = core.world.channelOf(required(args, name, 'channel_not_found'));
  if (channel.kind !== 'public' && !channel.members.includes(BOT.userId)) {
    throw new SlackRefusal('channel_not_found');
  }
  return channel;
};

/** A channel that the bot may write to. A user in its place means the direct chat. */
export const writableChannel = (call: Call, name = 'channel'): FakeChannel => {
  const { core, args } = call;
  const id = required(args, name, 'channel_not_found');
  const user = core.world.users.get(id);
  if (user && user.id !== BOT.userId) {
    if (user.isDeleted) throw new SlackRefusal('user_disabled');
    return core.world.directOf(user.id);
  }
  const channel = knownChannel(call, name);
  if (channel.isArchived) throw new SlackRefusal('is_archived');
  if (!channel.members.includes(BOT.userId)) throw new SlackRefusal('not_in_channel');
  return channel;
};
