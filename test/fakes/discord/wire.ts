/** JSON as it goes over the wire. */
export type Wire = Readonly<Record<string, unknown>>;

export const asWire = (value: unknown): Wire =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Wire) : {};

export const asWires = (value: unknown): readonly Wire[] => (Array.isArray(value) ? value.map(asWire) : []);

export const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

export const asNumber = (value: unknown): number => (typeof value === 'number' ? value : 0);

export const asTexts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

const EPOCH_MS = 1_420_070_400_000;

const snowflakeAt = (ms: number): bigint => BigInt(Math.max(0, Math.floor(ms) - EPOCH_MS)) << 22n;

/** When an id was given. */
export const timeOfSnowflake = (id: string): number => Number(BigInt(id) >> 22n) + EPOCH_MS;

/** Ids that carry their time, each greater than the one before. */
export const createSnowflakes = (now: () => number): (() => string) => {
  let last = 0n;
  return () => {
    const fresh = snowflakeAt(now());
    last = fresh > last ? fresh : last + 1n;
    return `${last}`;
  };
};

export const INTENT = {
  guilds: 1 << 0,
  guildMembers: 1 << 1,
  guildPresences: 1 << 8,
  guildTexts: 1 << 9,
  guildReactions: 1 << 10,
  guildTyping: 1 << 11,
  directMessages: 1 << 12,
  directReactions: 1 << 13,
  directTyping: 1 << 14,
  messageContent: 1 << 15,
} as const;

export const FLAG = {
  suppressEmbeds: 4,
  ephemeral: 64,
  loading: 128,
  voice: 8192,
  forwarded: 16_384,
} as const;

export const RIGHT = {
  manageGuild: 1n << 5n,
  addReactions: 1n << 6n,
  viewChannel: 1n << 10n,
  sendMessages: 1n << 11n,
  embedLinks: 1n << 14n,
  attachFiles: 1n << 15n,
  readHistory: 1n << 16n,
  useCommands: 1n << 31n,
  sendInThreads: 1n << 38n,
} as const;

export const EVERYDAY_RIGHTS = Object.values(RIGHT).reduce((sum, bit) => sum | bit, 0n) & ~RIGHT.manageGuild;
