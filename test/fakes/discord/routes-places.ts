import { channelFor, demand, messageFor } from './access.ts';
import type { FakeDiscordOptions } from './api.ts';
import { checkLength, refusal } from './errors.ts';
import { type Call, type Handler, NO_CONTENT, ok, type Route } from './http.ts';
import { wireEmoji } from './message-wire.ts';
import { directChannelOf, joinThread, openThread } from './places.ts';
import { applicationFlags, isThread, wireChannel, wireGuild, wireMember, wireUser } from './views.ts';
import { asText, type Wire } from './wire.ts';

const EMOJI = /^(?:\p{RGI_Emoji}|\p{Extended_Pictographic}|\w{2,32}:\d+)$/v;
const MAX_REACTIONS = 20;

/** A team's application has an owner too: a user that stands for the team. */
const ownership = (owner: NonNullable<FakeDiscordOptions['owner']>): Wire =>
  'userId' in owner
    ? { owner: { id: owner.userId, username: 'owner' }, team: null }
    : {
        owner: { id: '2', username: 'team2' },
        team: {
          id: '2',
          name: 'the team',
          icon: null,
          owner_user_id: owner.team[0]?.userId,
          members: owner.team.map(({ userId, role, isInvited = false }) => ({
            team_id: '2',
            membership_state: isInvited ? 1 : 2,
            permissions: ['*'],
            role,
            user: { id: userId, username: userId },
          })),
        },
      };

const application = ({ state }: Call): Wire => ({
  ...ownership(state.options.owner),
  id: state.applicationId,
  name: state.bot.username,
  description: '',
  icon: null,
  bot_public: true,
  bot_require_code_grant: false,
  verify_key: '00',
  flags: applicationFlags(state),
  bot: wireUser(state.bot),
  approximate_guild_count: state.guilds.size,
  integration_types_config: { '0': {}, ...(state.options.isPersonal ? { '1': {} } : {}) },
});

const react =
  (isAdded: boolean): Handler =>
  (call) => {
    const { state, params } = call;
    const channel = channelFor(state, params['channel']);
    const message = messageFor(channel, params['message']);
    const emoji = params['emoji'] ?? '';
    if (!EMOJI.test(emoji)) throw refusal('unknownEmoji');
    const users = message.reactions.get(emoji);
    if (channel.closed) throw refusal('archivedThread');
    if (isAdded) {
      demand(state, channel, 'canReact');
      if (!users && message.reactions.size >= MAX_REACTIONS) throw refusal('tooManyReactions');
      message.reactions.set(emoji, new Set([...(users ?? []), state.bot.id]));
    } else {
      if (users?.delete(state.bot.id) !== true) throw refusal('unknownEmoji');
      if (users.size === 0) message.reactions.delete(emoji);
    }
    const type = isAdded ? 'reacted' : 'unreacted';
    state.onDispatch(
      isAdded ? 'MESSAGE_REACTION_ADD' : 'MESSAGE_REACTION_REMOVE',
      {
        user_id: state.bot.id,
        channel_id: channel.id,
        message_id: message.id,
        ...(channel.guildId === undefined ? {} : { guild_id: channel.guildId }),
        emoji: wireEmoji(emoji),
        burst: false,
        type: 0,
      },
      channel.id,
    );
    state.record({ type, channelId: channel.id, messageId: message.id, emoji });
    call.done(type, channel.id);
    return NO_CONTENT;
  };

const startThread: Handler = ({ state, params, body }) => {
  const parent = channelFor(state, params['channel']);
  if (parent.kind === 'direct' || isThread(parent)) throw refusal('notText');
  demand(state, parent, 'canSend');
  checkLength(body['name'], 'name', 100, 1);
  const starterId = params['message'] === undefined ? undefined : messageFor(parent, params['message']).id;
  const thread = openThread(state, parent, {
    name: asText(body['name']),
    ownerId: state.bot.id,
    starterId,
    isPrivate: body['type'] === 12,
    isJoined: true,
  });
  return { status: 201, body: wireChannel(state, thread) };
};

export const placeRoutes: readonly Route[] = [
  {
    method: 'GET',
    route: '/gateway/bot',
    handle: ({ state }) =>
      ok({
        url: state.origin.replace('http', 'ws'),
        shards: state.options.shards,
        session_start_limit: {
          total: 1_000,
          remaining: state.sessionStarts.left(),
          reset_after: state.sessionStarts.resetAfterMs(),
          max_concurrency: state.options.maxConcurrency,
        },
      }),
  },
  { method: 'GET', route: '/users/@me', handle: ({ state }) => ok(wireUser(state.bot)) },
  { method: 'GET', route: '/applications/@me', handle: (call) => ok(application(call)) },
  { method: 'GET', route: '/oauth2/applications/@me', handle: (call) => ok(application(call)) },
  {
    method: 'GET',
    route: '/users/@me/guilds',
    handle: ({ state }) =>
      ok(
        [...state.guilds.values()].map(({ id, name }) => ({
          id,
          name,
          icon: null,
          owner: false,
          permissions: '0',
          features: [],
        })),
      ),
  },
  {
    method: 'POST',
    route: '/users/@me/channels',
    handle: ({ state, body }) => {
      const user = state.users.get(asText(body['recipient_id']));
      if (!user) throw refusal('unknownUser');
      if (user.isBot) throw refusal('refusesDirect');
      return ok(wireChannel(state, directChannelOf(state, user)));
    },
  },
  {
    method: 'GET',
    route: '/users/:user',
    handle: ({ state, params }) => {
      const user = state.users.get(params['user'] ?? '');
      if (!user) throw refusal('unknownUser');
      return ok(wireUser(user));
    },
  },
  {
    method: 'GET',
    route: '/guilds/:guild',
    handle: ({ state, params }) => {
      const guild = state.guilds.get(params['guild'] ?? '');
      if (!guild) throw refusal('unknownGuild');
      const {
        channels: _channels,
        threads: _threads,
        members: _members,
        ...wire
      } = wireGuild(state, guild, false);
      return ok(wire);
    },
  },
  {
    method: 'GET',
    route: '/guilds/:guild/channels',
    handle: ({ state, params }) => {
      const guild = state.guilds.get(params['guild'] ?? '');
      if (!guild) throw refusal('unknownGuild');
      return ok(wireGuild(state, guild, false)['channels']);
    },
  },
  {
    method: 'GET',
    route: '/guilds/:guild/members/:user',
    handle: ({ state, params }) => {
      const guild = state.guilds.get(params['guild'] ?? '');
      if (!guild) throw refusal('unknownGuild');
      const user = state.users.get(params['user'] ?? '');
      if (!user || !guild.members.has(user.id)) throw refusal('unknownMember');
      return ok({ ...wireMember(guild, user.id), user: wireUser(user) });
    },
  },
  {
    method: 'GET',
    route: '/channels/:channel',
    handle: ({ state, params }) => ok(wireChannel(state, channelFor(state, params['channel']))),
  },
  {
    method: 'POST',
    route: '/channels/:channel/typing',
    handle: (call) => {
      const channel = channelFor(call.state, call.params['channel']);
      demand(call.state, channel, 'canSend');
      call.state.record({ type: 'typed', channelId: channel.id });
      call.done('typed', channel.id);
      return NO_CONTENT;
    },
  },
  { method: 'PUT', route: '/channels/:channel/messages/:message/reactions/:emoji/@me', handle: react(true) },
  {
    method: 'DELETE',
    route: '/channels/:channel/messages/:message/reactions/:emoji/@me',
    handle: react(false),
  },
  { method: 'POST', route: '/channels/:channel/messages/:message/threads', handle: startThread },
  { method: 'POST', route: '/channels/:channel/threads', handle: startThread },
  {
    method: 'PUT',
    route: '/channels/:channel/thread-members/@me',
    handle: ({ state, params }) => {
      joinThread(state, channelFor(state, params['channel']));
      return NO_CONTENT;
    },
  },
];
