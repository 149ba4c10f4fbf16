import type { SeenMessage } from './seen.ts';

/** What the platform knows, in the order in which it came about. */
export type DiscordHappening =
  | { readonly type: 'connected'; readonly connection: number }
  | {
      readonly type: 'identified';
      readonly sessionId: string;
      readonly intents: number;
      readonly shard: number;
    }
  /** The bot identified itself too soon after the last time, or once too often. */
  | { readonly type: 'identifyRefused'; readonly shard: number }
  /** `replayed`: how many missed events were sent again. */
  | {
      readonly type: 'resumed';
      readonly sessionId: string;
      readonly replayed: number;
      readonly shard: number;
    }
  /** The bot asked to resume what the platform does not know any more. */
  | { readonly type: 'resumeRefused'; readonly sessionId: string }
  | { readonly type: 'heartbeat'; readonly connection: number }
  /** `by`: who ended it. A code of 1006: without a word. */
  | {
      readonly type: 'closed';
      readonly connection: number;
      readonly code: number;
      readonly by: 'fake' | 'client';
    }
  /** An event came about. `reached`: a connected session got it at once. */
  | {
      readonly type: 'dispatched';
      readonly event: string;
      readonly data: unknown;
      readonly reached: boolean;
    }
  /** Written down when it is answered. `status` 0: the connection died instead. */
  | {
      readonly type: 'request';
      readonly method: string;
      /** With placeholders: `/channels/:channel/messages`. */
      readonly route: string;
      readonly path: string;
      readonly channelId?: string;
      readonly status: number;
      /** Discord's own error code, where it is an error. */
      readonly code?: number;
      readonly body: unknown;
    }
  /** The bot wrote something. */
  | { readonly type: 'posted'; readonly message: SeenMessage }
  /** It was written again with a known nonce: nobody saw it twice. */
  | { readonly type: 'deduplicated'; readonly messageId: string; readonly nonce: string }
  | { readonly type: 'edited'; readonly message: SeenMessage }
  | { readonly type: 'deleted'; readonly channelId: string; readonly messageId: string }
  | {
      readonly type: 'reacted' | 'unreacted';
      readonly channelId: string;
      readonly messageId: string;
      readonly emoji: string;
    }
  | { readonly type: 'typed'; readonly channelId: string }
  | {
      readonly type: 'acknowledged';
      readonly interactionId: string;
      readonly callbackType: number;
      readonly isEphemeral: boolean;
      readonly afterMs: number;
    }
  | {
      readonly type: 'commandsRegistered';
      readonly guildId?: string;
      readonly names: readonly string[];
    }
  /** A request got 429. `isBlameworthy`: it came although its sender had been told to wait. */
  | {
      readonly type: 'rateLimited';
      readonly method: string;
      readonly route: string;
      readonly channelId?: string;
      readonly isGlobal: boolean;
      readonly isBlameworthy: boolean;
      /** How long before that it had been told to. */
      readonly toldMsAgo?: number;
    };

export type DiscordEntry = DiscordHappening & { readonly atMs: number };

export type EntryOf<Type extends DiscordHappening['type']> = Extract<DiscordEntry, { readonly type: Type }>;

/** All entries of one kind. */
export const entriesOf = <Type extends DiscordHappening['type']>(
  history: readonly DiscordEntry[],
  type: Type,
): readonly EntryOf<Type>[] => history.filter((entry): entry is EntryOf<Type> => entry.type === type);
