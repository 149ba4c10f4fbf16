import { z } from 'zod';

/** What a process needs to resume a session of Discord that another process had. */
const shardSession = z.strictObject({
  sessionId: z.string(),
  resumeUrl: z.string(),
  /** Everything up to here is stored. Discord sends again what came after it. */
  sequence: z.number(),
  /** Messages arrive with their text. */
  hasContent: z.boolean(),
});
export type ShardSession = Readonly<z.infer<typeof shardSession>>;

/** Undefined if another version wrote it. The bot then begins a new session. */
export const readShardSession = (stored: string | undefined): ShardSession | undefined => {
  if (stored === undefined) return undefined;
  try {
    return shardSession.safeParse(JSON.parse(stored)).data;
  } catch {
    return undefined;
  }
};

/** How far the events of one shard are stored. */
export interface SessionTrack {
  /** A new session began. It is not to be resumed until what was missed before it is read. */
  readonly began: (session: Omit<ShardSession, 'sequence'>) => void;
  readonly caughtUp: () => void;
  /** An event arrived that must be stored. The returned function says that it is. */
  readonly opened: (sequence: number) => () => void;
  /** An event arrived. Those that must be stored were opened before. */
  readonly arrived: (sequence: number) => void;
  /** The session up to the last event before which everything is stored. Undefined if it cannot be resumed. */
  readonly current: () => ShardSession | undefined;
}

export const createSessionTrack = (resumed: ShardSession | undefined): SessionTrack => {
  let session: Omit<ShardSession, 'sequence'> | undefined = resumed;
  let isCaughtUp = resumed !== undefined;
  let newest = resumed?.sequence ?? 0;
  /** Events that are not stored yet, the oldest first. */
  let open = new Set<number>();
  return {
    began: (next) => {
      session = next;
      isCaughtUp = false;
      newest = 0;
      open = new Set();
    },
    caughtUp: () => {
      isCaughtUp = session !== undefined;
    },
    opened: (sequence) => {
      const own = open;
      own.add(sequence);
      return () => void own.delete(sequence);
    },
    arrived: (sequence) => {
      newest = Math.max(newest, sequence);
    },
    current: () => {
      if (!session || !isCaughtUp) return undefined;
      const [oldest] = open;
      const { sessionId, resumeUrl, hasContent } = session;
      return { sessionId, resumeUrl, sequence: oldest === undefined ? newest : oldest - 1, hasContent };
    },
  };
};
