import { LRUCache } from 'lru-cache';
import type { ChannelPlugin, Membership, MembershipCheck } from '#src/kernel/channel/channel.ts';
import { ChannelError, errorMessage } from '#src/kernel/errors.ts';
import type { ChannelId } from '#src/kernel/ids.ts';
import type { ReplyTarget } from '#src/kernel/chat/message.ts';
import { NEVER_ABORTED, raceAbort, withDeadline } from '#src/platform/concurrency/abort.ts';
import type { Uses } from '#src/platform/services.ts';

const REMEMBERED_MS = 3_600_000;
const MAX_REMEMBERED = 5_000;
const CHECK_LIMIT_MS = 10_000;

const tooSlow = (): ChannelError => new ChannelError('unreachable', 'The platform took too long to say');

/**
 * Caches members for an hour. A failed check is not cached and counts as `member`, so that no alert is lost. A check takes
 * at most ten seconds, because the alerts of other people wait for it.
 */
export const createMembershipCheck = (
  deps: Uses<'clock' | 'logger'> & {
    readonly channelOf: (id: ChannelId) => Pick<ChannelPlugin, 'membership'>;
  },
): MembershipCheck => {
  const members = new LRUCache<string, number>({ max: MAX_REMEMBERED });
  const underWay = new Map<string, Promise<Membership>>();

  const ask = async (key: string, target: ReplyTarget): Promise<Membership> => {
    using limit = withDeadline(NEVER_ABORTED, CHECK_LIMIT_MS, deps.clock, tooSlow);
    try {
      const { membership } = deps.channelOf(target.channelId);
      const found = membership ? await raceAbort(membership(target, limit.signal), limit.signal) : 'member';
      if (found === 'member') members.set(key, deps.clock.monotonicMs() + REMEMBERED_MS);
      return found;
    } catch (error) {
      deps.logger.warn('A membership check failed; the person is notified anyway', {
        channelId: target.channelId,
        cause: errorMessage(error),
      });
      return 'member';
    } finally {
      underWay.delete(key);
    }
  };

  return async (target) => {
    if (target.isDirect) return 'member';
    const { channelId, accountId, chatId, threadId, recipientId } = target;
    const key = JSON.stringify([channelId, accountId, chatId, threadId, recipientId]);
    if ((members.get(key) ?? 0) > deps.clock.monotonicMs()) return 'member';
    const asking = underWay.get(key) ?? ask(key, target);
    underWay.set(key, asking);
    return asking;
  };
};
