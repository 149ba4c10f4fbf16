import type { GuildSettings } from '#src/kernel/chat/guild-settings.ts';
import type { SessionKey } from '#src/kernel/ids.ts';
import type { QueueMode, QueueModes, QueueModeScope, QueuePlace } from '#src/kernel/chat/queue.ts';
import { agentOf } from '#src/kernel/agent/agent-settings.ts';
import type { Clock } from '#src/platform/concurrency/clock.ts';
import type { SharedSettings } from '#src/platform/storage/shared-settings.ts';
import type { QueueModeStore } from '#src/chat/store/queue-modes.ts';

export interface QueueModeSettings {
  readonly mode: QueueMode;
  /** By platform (`discord`) or chat (`discord:123`). */
  readonly channels: Readonly<Record<string, QueueMode>>;
  readonly agents: Readonly<Record<string, { readonly queueMode?: QueueMode | undefined }>>;
}

const scopeKey = (scope: QueueModeScope, { sessionKey, channelId, chatId }: QueuePlace): string => {
  if (scope === 'session') return `session:${sessionKey}`;
  return scope === 'channel' ? `channel:${channelId}:${chatId}` : `agent:${agentOf(sessionKey)}`;
};

export interface LiveQueueModes extends QueueModes {
  /** Increases with every change. A mode that was read at a lower revision may be outdated. */
  readonly revision: () => number;
  /** Drops the choice for this conversation, whose row was deleted. */
  readonly forget: (sessionKey: SessionKey) => void;
}

/**
 * The queue mode as chosen in chat for the conversation, its channel, its server or its agent; each choice overrides the
 * configuration. It is kept in memory, because every message needs it.
 */
export const openQueueModes = async (
  store: QueueModeStore,
  settings: QueueModeSettings,
  clock: Clock,
  guildSettings: Pick<GuildSettings, 'of' | 'revision'>,
  shared?: SharedSettings,
): Promise<LiveQueueModes> => {
  let chosen = new Map(await store.all());
  let choices = 0;
  shared?.onChanged(async () => {
    chosen = new Map(await store.all());
    choices += 1;
  });
  return {
    of: (place) => {
      const { channels, agents } = settings;
      const chat = `${place.channelId}:${place.chatId}`;
      const ofSession = chosen.get(scopeKey('session', place));
      if (ofSession) return { mode: ofSession, setFor: 'session' };
      const ofChannel = chosen.get(scopeKey('channel', place)) ?? channels[chat] ?? channels[place.channelId];
      if (ofChannel) return { mode: ofChannel, setFor: 'channel' };
      const { queueMode: ofGuild } = guildSettings.of(place.channelId, place.guildId);
      if (ofGuild) return { mode: ofGuild, setFor: 'guild' };
      const ofAgent = chosen.get(scopeKey('agent', place)) ?? agents[agentOf(place.sessionKey)]?.queueMode;
      return ofAgent ? { mode: ofAgent, setFor: 'agent' } : { mode: settings.mode, setFor: 'default' };
    },
    revision: () => choices + guildSettings.revision(),
    forget: (sessionKey) => {
      chosen.delete(`session:${sessionKey}`);
      choices += 1;
      void shared?.changed();
    },
    choose: async (place, scope, mode) => {
      const key = scopeKey(scope, place);
      await store.set(key, mode, clock.now());
      if (mode === null) chosen.delete(key);
      else chosen.set(key, mode);
      choices += 1;
      await shared?.changed();
    },
  };
};
