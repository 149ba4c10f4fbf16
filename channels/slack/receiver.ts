import type { ChannelHost } from '#src/kernel/channel.ts';
import { type AccountId, asId } from '#src/kernel/ids.ts';
import { waitAtMost } from '#src/platform/abort.ts';
import type { Clock } from '#src/platform/clock.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';
import { SerialQueue } from '#src/platform/serial-queue.ts';
import type { Directory } from './directory.ts';
import { readMessageEvent, type Said, toInboundMessage, toMessageChange } from './inbound.ts';
import { SLACK, type SlackIdentity } from './settings.ts';
import type { SlackMessageEvent } from './wire.ts';

export interface IntakeDeps {
  readonly host: ChannelHost;
  readonly self: SlackIdentity;
  readonly directory: Directory;
  readonly clock: Clock;
  readonly logger: FinClawLogger;
}

/** From an event to the inbox. */
export interface Intake {
  /** Resolves when it is stored, or needs not be. Rejects only if it could not be: it is not acknowledged then. */
  readonly take: (event: SlackMessageEvent) => Promise<void>;
  /** The same for a message that was read from the history. The caller already holds the chat's turn. */
  readonly receive: (said: Said) => Promise<void>;
  /**
   * One after the other for each chat, so that what was said first is received first. Waits for what is before it,
   * but not longer than a moment: Slack wants its answer within 3 s.
   */
  readonly inOrder: <T>(chat: string, task: () => Promise<T>) => Promise<T>;
  /** Events wait (a moment at the most) while this is pending. */
  readonly holdUntil: (ready: Promise<void>) => void;
}

const HOLD_MS = 1_000;
const PATIENCE_MS = 2_000;

export const createIntake = ({ host, self, directory, clock, logger }: IntakeDeps): Intake => {
  const byChat = new SerialQueue();
  const account = asId<AccountId>(self.teamId);
  let held: Promise<void> | undefined;

  const untilReady = async (): Promise<void> => {
    if (held) await waitAtMost(held, HOLD_MS, clock);
  };

  const inOrder: Intake['inOrder'] = (chat, task) =>
    byChat.run(chat, task, (before) => waitAtMost(before, PATIENCE_MS, clock));

  const receive = async (said: Said): Promise<void> => {
    const isOwn = said.author === self.userId || said.author === self.botId;
    if (said.chatType === 'direct' && !isOwn) directory.learnDirect(said.channel, said.author);
    const isApp = said.message.user === undefined;
    const [person, place] = await Promise.all([
      isOwn || isApp ? undefined : directory.person(said.author),
      isOwn || said.chatType === 'direct' ? undefined : directory.place(said.channel),
    ]);
    const message = toInboundMessage(said, { self, person, place });
    const receipt = await host.receive(message);
    if (receipt.outcome === 'dropped')
      logger.debug('Slack: a message was dropped', { reason: receipt.reason });
  };

  const handle = async (event: SlackMessageEvent): Promise<void> => {
    const read = readMessageEvent(event);
    if (read.kind === 'said') await receive(read.said);
    else if (read.kind === 'changed') {
      const place = read.chatType ? undefined : await directory.place(read.channel);
      await host.revise(toMessageChange(read, self, place));
    } else logger.debug('Slack: an event says nothing to us', { why: read.why });
  };

  return {
    take: async (event) => {
      await untilReady();
      await inOrder(event.channel ?? '', () => handle(event));
      // After it is stored: a time that is remembered too early would hide what was lost behind it.
      host.progress.saw(SLACK, account, clock.now());
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
