import type { ActiveChat, ChannelHost, ChannelProgress, ReceivedShard } from '#src/kernel/channel/host.ts';
import { type AccountId, asId } from '#src/kernel/ids.ts';
import { raceAbort, waitAtMost } from '#src/platform/concurrency/abort.ts';
import type { DiscordApi } from './api.ts';
import { createCatchUp } from './receive/catch-up.ts';
import { type DiscordConnectionDeps, createConnection, type Identity } from './connect/connection.ts';
import { channelsIn } from './directory.ts';
import type { Shard } from './connect/gateway-client.ts';
import { createRecentMessages } from './receive/recent-messages.ts';
import type { InteractionReplies } from './send/interaction-replies.ts';
import { createInteractions } from './interact/interactions.ts';
import type { DiscordOutboundDeps } from './send/outbound.ts';
import { createReceiver } from './receive/receiver.ts';
import { DISCORD } from './settings.ts';
import { isSnowflake } from './snowflake.ts';
import { createWelcome } from './receive/welcome.ts';

const STORE_WAIT_MS = 2_000;
/** Discord waits three seconds for the acknowledgement of an interaction. */
const CONFIRM_WAIT_MS = 1_000;

interface ShardDeps
  extends
    DiscordOutboundDeps,
    Pick<DiscordConnectionDeps, 'settings' | 'pace' | 'readInfo' | 'content' | 'logger'> {
  readonly shard: Shard;
  /** Absent if no other process can receive the events of the shard. */
  readonly received: ReceivedShard | undefined;
  readonly api: DiscordApi;
  readonly host: ChannelHost;
  readonly replies: InteractionReplies;
  readonly isLeaving: () => boolean;
  readonly onSession: (identity: Identity) => void;
  readonly onGuilds: () => void;
}

/** The servers of one shard: their connection, and what arrives over it. */
export type OpenShard = ReturnType<typeof openShard>;

/** The shard that gets the events of a server. Those of direct chats are for the first one. */
export const shardOf = (guildId: string | undefined, count: number): number =>
  guildId !== undefined && isSnowflake(guildId) ? Number((BigInt(guildId) >> 22n) % BigInt(count)) : 0;

/** Each shard has its own progress, since one may be away for longer than others. The first one's is that of the bot. */
const progressOf = (progress: ChannelProgress, { id }: Shard): ChannelProgress => {
  if (id === 0) return progress;
  const own = (accountId: AccountId): AccountId => asId<AccountId>(`${accountId}/${id}`);
  return {
    ...progress,
    seenUntil: async (channelId, accountId) =>
      (await progress.seenUntil(channelId, own(accountId))) ?? progress.seenUntil(channelId, accountId),
    saw: (channelId, accountId, at) => progress.saw(channelId, own(accountId), at),
    hold: (channelId, accountId, from) => progress.hold(channelId, own(accountId), from),
    forget: (channelId, accountId) => progress.forget(channelId, own(accountId)),
  };
};

export const openShard = (deps: ShardDeps) => {
  const { shard, received, self, clock } = deps;
  const ending = new AbortController();
  const recent = createRecentMessages(clock);

  const own = {
    ...deps,
    host: { ...deps.host, progress: progressOf(deps.host.progress, shard) },
    signal: ending.signal,
  };
  const isOurs = async (): Promise<boolean> => received === undefined || received.confirm();
  /** If this process was suspended and another one has the shard now, that one gets what has arrived here. */
  const ifOurs = async <T>(store: () => Promise<T>): Promise<T> => {
    // Does not resolve, so what counts as seen stays before this event.
    if (!(await isOurs())) await raceAbort(new Promise<never>(() => undefined), ending.signal);
    return store();
  };
  const receiver = createReceiver({
    ...own,
    host: {
      ...own.host,
      receive: (message) => ifOurs(() => own.host.receive(message)),
      revise: (change) => ifOurs(() => own.host.revise(change)),
    },
    waitFor: async (channelId, event) => catchUp.waitFor(channelId, event),
  });
  const isOwn = ({ chatType, chatId }: ActiveChat): boolean => {
    if (shard.count === 1) return true;
    if (chatType === 'direct') return shard.id === 0;
    return connection.client()?.channels.cache.has(chatId) === true;
  };
  const channels = () => {
    const client = connection.client();
    return client ? channelsIn(client) : [];
  };
  const catchUp = createCatchUp({
    ...own,
    receive: receiver.missed,
    stored: receiver.idle,
    channels,
    isOwn,
  });
  const handleInteraction = createInteractions(own);
  const welcome = createWelcome(own);

  const listen = (hasContent: boolean): void => {
    // Without their text, messages are only known to Discord.
    if (hasContent) recent.messages.listen();
  };
  const connection = createConnection(
    {
      ...deps,
      isShared: received !== undefined,
      isOurs,
      failed: (event, error) => deps.host.eventFailed(DISCORD, event, error),
    },
    {
      onSession: (identity, hasContent) => {
        deps.onSession(identity);
        recent.eventsLost();
        listen(hasContent);
        catchUp.begin();
      },
      onGuilds: () => {
        void catchUp.run(ending.signal);
        deps.onGuilds();
      },
      onGuild: welcome,
      onLost: () => recent.messages.eventsDelayed(),
      onResumed: listen,
      onAccess: ({ guildId, channelId }) => recent.missed(guildId, channelId),
      onMessage: (message) => {
        recent.created(message);
        return receiver.created(message);
      },
      onEdit: (message) => {
        recent.updated(message);
        return receiver.updated(message);
      },
      onDelete: ({ ids, channel_id: channelId, guild_id: guildId }) => {
        recent.deleted({ ids, channelId, guildId });
        return receiver.deleted({ ids, channelId, guildId });
      },
      onInteraction: async (interaction) => {
        // The other process gets this event too. While the database is away, the person is at least told.
        const isLost = (await waitAtMost(isOurs(), CONFIRM_WAIT_MS, clock)) === false;
        if (!isLost) await handleInteraction(interaction);
      },
    },
  );

  const end = async (): Promise<void> => {
    recent.eventsLost();
    await connection.stop();
    const isStillOurs = (await waitAtMost(isOurs(), STORE_WAIT_MS, clock)) === true;
    if (isStillOurs) await waitAtMost(receiver.idle(), STORE_WAIT_MS, clock);
    ending.abort(new Error('this process does not receive any more'));
    // The next process to receive begins at the stored progress.
    const me = self();
    if (received && me) own.host.progress.forget(DISCORD, asId<AccountId>(me.applicationId));
  };
  let ended: Promise<void> | undefined;

  return {
    /** As that of a connection. */
    start: connection.start,
    /** Stops receiving. What has arrived is stored, and another process may begin a session. Safe to call twice. */
    end: (): Promise<void> => (ended ??= end()),
    isConnected: connection.isConnected,
    client: connection.client,
    recent,
  };
};
