import type { ChannelHost } from '#src/kernel/channel.ts';
import { type AccountId, asId } from '#src/kernel/ids.ts';
import { waitAtMost } from '#src/platform/abort.ts';
import { SerialQueue } from '#src/platform/serial-queue.ts';
import type { SlackApi } from './api.ts';
import type { Assistant } from './assistant.ts';
import type { Directory } from './directory.ts';
import type { SlackHeard } from './heard.ts';
import {
  type MessageEvent,
  type PostedMessage,
  readMessageEvent,
  toInboundMessage,
  toMessageChange,
} from './inbound.ts';
import { withoutOwnCommand } from './read-command.ts';
import { SLACK, type SlackDeps, type SlackIdentity } from './settings.ts';
import { instantOf, isTs, type SlackMessageEvent } from './wire.ts';

export interface ReceiverDeps extends Omit<SlackDeps, 'settings'> {
  readonly host: ChannelHost;
  readonly self: SlackIdentity;
  readonly api: SlackApi;
  readonly directory: Directory;
  readonly hear: SlackHeard['hear'];
  readonly readAhead: (said: PostedMessage) => void;
  readonly assistant: Pick<Assistant, 'asked'>;
}

/** Stores the messages of Slack events in the inbox. */
export interface Receiver {
  /** Resolves when the message is stored or can be ignored. Rejects when storing fails; the event is not acknowledged then. */
  readonly handle: (event: SlackMessageEvent) => Promise<void>;
  /** Stores a message that was read from the history. The caller must be inside `inOrder` of that chat. */
  readonly receive: (said: PostedMessage) => Promise<void>;
  /**
   * Runs the tasks of a chat one after the other, so that messages are received in order. A task waits for the ones
   * before it only briefly, because Slack expects an acknowledgement within 3 s.
   */
  readonly inOrder: <T>(chat: string, task: () => Promise<T>) => Promise<T>;
  /** Events wait briefly while this promise is pending. */
  readonly holdUntil: (ready: Promise<void>) => void;
}

const HOLD_MS = 1_000;
const PATIENCE_MS = 2_000;

export const createReceiver = (deps: ReceiverDeps): Receiver => {
  const { host, self, directory, clock, logger } = deps;
  const byChat = new SerialQueue();
  const account = asId<AccountId>(self.teamId);
  let held: Promise<void> | undefined;

  const untilReady = async (): Promise<void> => {
    if (held) await waitAtMost(held, HOLD_MS, clock);
  };

  const inOrder: Receiver['inOrder'] = (chat, task) =>
    byChat.run(chat, task, (before) => waitAtMost(before, PATIENCE_MS, clock));

  const receive = async (said: PostedMessage): Promise<void> => {
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

  const handle = async (read: MessageEvent): Promise<void> => {
    if (read.kind === 'said') await receive(read.said);
    else if (read.kind === 'changed') {
      const place = read.chatType ? undefined : await directory.place(read.channel);
      await host.revise(toMessageChange(read, self, place));
    } else logger.debug('Slack: ignored an event', { why: read.why });
  };

  return {
    handle: async (event) => {
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
    receive,
    inOrder,
    holdUntil: (ready) => {
      const mine: Promise<void> = ready
        .catch(() => undefined)
        .then(() => {
          if (held === mine) held = undefined;
        });
      held = mine;
    },
  };
};
