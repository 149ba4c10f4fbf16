import { onTestFinished } from 'vitest';
import type { ChannelPlugin } from '#src/kernel/channel/channel.ts';
import { type AccountId, asId, type ChannelId, type ChatId, type UserId } from '#src/kernel/ids.ts';
import type { ReplyTarget } from '#src/kernel/chat/message.ts';
import { createNotifier, type NotifierDeps } from '#src/chat/delivery/notifier.ts';
import { createNotificationStore } from '#src/chat/store/notifications.ts';
import { createSentFiles } from '#src/platform/storage/sent-files.ts';
import { TestChannel, type TestChannelOptions } from '#test/support/channel.ts';
import { recordingEvents, recordingLogger } from '#test/support/context.ts';
import { sqliteStorage, temporaryDir } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
/** More than all tries of one series and the pauses between them take, when every send fails at once. */
export const SERIES_MS = 10_000;

export const targetOf = (chat: string, overrides: Partial<ReplyTarget> = {}): ReplyTarget => ({
  channelId: asId<ChannelId>('test'),
  accountId: asId<AccountId>('local'),
  chatId: asId<ChatId>(chat),
  recipientId: asId<UserId>(chat),
  ...overrides,
});

/** The notifier with a real store, a channel in memory and time that stands still. */
export const setUpNotifier = async (options: TestChannelOptions = {}) => {
  const { storage } = await sqliteStorage();
  const clock = new ManualClock();
  const recorded = recordingEvents();
  const { logger, records } = recordingLogger();
  const channel = new TestChannel(options);
  const channels = new Map<string, ChannelPlugin>([[channel.id, channel]]);
  const store = createNotificationStore(storage);
  const channelOf = (id: ChannelId): ChannelPlugin => {
    const found = channels.get(id);
    if (!found) throw new Error(`There is no channel ${id}`);
    return found;
  };
  /** Another life of the program on the same data. */
  const create = (overrides: Partial<NotifierDeps> = {}) =>
    createNotifier({
      store,
      files: createSentFiles({ dataDir: temporaryDir(), clock }),
      channelOf,
      mayBeTold: async () => true,
      isExclusive: true,
      clock,
      events: recorded.events,
      logger,
      ...overrides,
    });
  const notifier = create();
  const rows = () => storage.db.selectFrom('notifications').selectAll().orderBy('id').execute();
  const statuses = async () => (await rows()).map(({ status }) => status);
  onTestFinished(async () => {
    const stopped = notifier.stop();
    await clock.advance(MINUTE_MS);
    await stopped;
  });
  /** What is under way gets its turn. */
  const settle = () => clock.advance(0);
  return {
    storage,
    clock,
    recorded,
    records,
    channel,
    channels,
    store,
    create,
    notifier,
    rows,
    statuses,
    settle,
  };
};
