import { LRUCache } from 'lru-cache';
import type { ChannelHost } from '#src/kernel/channel/host.ts';
import type { RefusedPosts } from '#src/kernel/operations/status.ts';
import { newErrorId } from '../platform/ids.ts';
import type { Base } from './base.ts';

/** The codes are a platform's, so there are few. */
const MAX_REASONS = 100;

/** Counts the posts that platforms refuse, by reason. */
export const createRefusedPosts = ({ events, clock }: Pick<Base, 'events' | 'clock'>) => {
  const counts = new LRUCache<string, RefusedPosts>({ max: MAX_REASONS });
  const note: ChannelHost['postRefused'] = (channelId, code, error) => {
    const key = `${channelId}:${code}`;
    const errorId = newErrorId();
    counts.set(key, { channelId, code, count: (counts.get(key)?.count ?? 0) + 1, at: clock.now(), errorId });
    events.emit('channel:post:refused', { channelId, code, errorId, error });
  };
  /** The last one first. */
  return { note, list: (): readonly RefusedPosts[] => [...counts.values()] };
};
