import { LRUCache } from 'lru-cache';
import { type AccountId, asId } from '#src/kernel/ids.ts';
import { waitAtMost } from '#src/platform/concurrency/abort.ts';
import { threadIn } from '#src/platform/recent-messages.ts';
import { SerialQueue } from '#src/platform/concurrency/serial-queue.ts';
import type { Uses } from '#src/platform/services.ts';
import type { SlackApi } from '../api.ts';
import type { Assistant } from './assistant.ts';
import type { SlackDirectory } from '../directory.ts';
import type { SlackRecentMessages } from './recent-messages.ts';
import {
  type MessageEvent,
  type PostedMessage,
  readMessageEvent,
  toInboundMessage,
  toMessageChange,
} from './inbound.ts';
import { chronological, MAX_AGE, saidSince } from './missed-messages.ts';
import { withoutOwnCommand } from './read-command.ts';
import { SLACK, type SlackDeps, type SlackIdentity } from '../settings.ts';
import { instantOf, isTs, messagesOf, type SlackMessageEvent, type SlackPage } from '../wire.ts';

export interface ReceiverDeps extends Omit<SlackDeps, 'settings'>, Uses<'host'> {
  readonly self: SlackIdentity;
  readonly api: SlackApi;
  readonly directory: SlackDirectory;
  readonly hear: SlackRecentMessages['hear'];
  readonly readAhead: (said: PostedMessage) => void;
  readonly assistant: Pick<Assistant, 'asked'>;
}

/** Stores the messages of Slack events in the inbox. */
export type SlackReceiver = ReturnType<typeof createReceiver>;

const HOLD_MS = 1_000;
const PATIENCE_MS = 2_000;
const MAX_PLACES = 5_000;

export const createReceiver = (deps: ReceiverDeps) => {
  const { host, self, directory, clock, logger } = deps;
  const byChat = new SerialQueue();
  const account = asId<AccountId>(self.teamId);
  let held: Promise<void> | undefined;
  /** The last loss after which a conversation was read. */
  const readSince = new LRUCache<string, Temporal.Instant>({ max: MAX_PLACES });

  const untilReady = async (): Promise<void> => {
    if (held) await waitAtMost(held, HOLD_MS, clock);
  };

  const inOrder = <T>(chat: string, task: () => Promise<T>): Promise<T> =>
    byChat.run(chat, task, (before) => waitAtMost(before, PATIENCE_MS, clock));

  /** Slack leaves the thread out of some replies, and names only the author of its root. */
  const inThread = async (said: PostedMessage): Promise<PostedMessage> => {
    const { channel, ts, message } = said;
    if (message.parent_user_id === undefined || message.thread_ts !== undefined) return said;
    const page = await deps.api
      .call('conversations.replies', { channel, ts, limit: 1 })
      .catch((): SlackPage => ({}));
    const thread = messagesOf(page)[0]?.thread_ts;
    return thread === undefined ? said : { ...said, message: { ...message, thread_ts: thread } };
  };

  const receive = async (told: PostedMessage): Promise<void> => {
    const said = await inThread(told);
    const isOwn = said.author === self.userId || said.author === self.botId;
    if (said.chatType === 'direct' && !isOwn) directory.learnDirect(said.channel, said.author);
    const isApp = said.message.user === undefined;
    const [person, place] = await Promise.all([
      isOwn || isApp ? undefined : directory.person(said.author),
      isOwn || said.chatType === 'direct' ? undefined : directory.place(said.channel),
    ]);
    const message = toInboundMessage(said, { self, person, place });
    const body = withoutOwnCommand(message.body, host.commands());
    const receipt = await host.receive({ ...message, body });
    // A message that comes again may have been stored by a process that was ended before it set the title.
    if (receipt.outcome !== 'dropped' && !isOwn && !isApp) deps.assistant.asked(said, message);
    if (receipt.outcome === 'dropped') logger.debug('Slack: dropped a message', { reason: receipt.reason });
  };

  /**
   * Slack brings again what a lost process had not stored, maybe after the person's next message. So it is stored before
   * that. A message of a channel begins a conversation of its own.
   */
  const receiveEarlier = async ({ channel, ts, message, chatType }: PostedMessage): Promise<void> => {
    const threadTs = message.thread_ts === ts ? undefined : message.thread_ts;
    if (threadTs === undefined && chatType !== 'direct') return;
    const lost = await host.others?.lostSince(SLACK);
    const place = threadIn(channel, threadTs ?? '');
    if (!lost || readSince.get(place) === lost) return;
    readSince.set(place, lost);
    const oldest = clock.now().subtract(MAX_AGE);
    const since = Temporal.Instant.compare(lost, oldest) < 0 ? oldest : lost;
    const found: PostedMessage[] = [];
    for await (const said of saidSince(deps.api, { channel, threadTs }, chatType, since))
      if (said.ts < ts) found.push(said);
    for (const said of chronological(found)) await receive(said);
  };

  const handle = async (read: MessageEvent): Promise<void> => {
    if (read.kind === 'said') {
      const earlier = receiveEarlier(read.said).catch((error: unknown) =>
        logger.warn('Slack: could not read what a lost process may have missed', { error }),
      );
      await waitAtMost(earlier, HOLD_MS, clock);
      await receive(read.said);
    } else if (read.kind === 'changed') {
      const place = read.chatType ? undefined : await directory.place(read.channel);
      await host.revise(toMessageChange(read, self, place));
    } else logger.debug('Slack: ignored an event', { why: read.why });
  };

  return {
    /** Resolves when the message is stored or can be ignored. Rejects when storing fails; the event is not acknowledged then. */
    handle: async (event: SlackMessageEvent) => {
      deps.hear(event, self);
      const read = readMessageEvent(event);
      // Saves time while an unknown sender is looked up. Known senders cause no requests before the gates let them through.
      if (read.kind === 'said' && !directory.personNow(read.said.author)) deps.readAhead(read.said);
      await untilReady();
      await inOrder(event.channel ?? '', () => handle(read));
      // Progress is recorded after the message is stored; otherwise a crash in between would lose the message. It is the time
      // of the event, because a process that was suspended receives it late, and has missed others.
      if (isTs(event.ts)) host.progress.saw(SLACK, account, instantOf(event.ts));
    },
    /** Stores a message that was read from the history. The caller must be inside `inOrder` of that chat. */
    receive,
    /**
     * Runs the tasks of a chat one after the other, so that messages are received in order. A task waits for the ones
     * before it only briefly, because Slack expects an acknowledgement within 3 s.
     */
    inOrder,
    /** Events wait briefly while this promise is pending. */
    holdUntil: (ready: Promise<void>) => {
      const mine: Promise<void> = ready
        .catch(() => undefined)
        .then(() => {
          if (held === mine) held = undefined;
        });
      held = mine;
    },
  };
};
