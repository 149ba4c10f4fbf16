import type { ChannelId } from '#src/kernel/ids.ts';

/** Whether a list of the configuration names it: by its id, or as `channel:id` where ids of platforms may collide. */
export const isListed = (list: readonly string[], channelId: ChannelId, id: string): boolean =>
  list.includes(id) || list.includes(`${channelId}:${id}`);
