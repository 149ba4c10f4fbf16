import { createApp } from '#src/app.ts';
import { loadConfig } from '#src/config/config.ts';
import { questionOf } from '#src/core/approval-code.ts';
import type { ChannelHost, ChannelPlugin } from '#src/core/channel.ts';
import {
  type AccountId,
  asId,
  type ChannelId,
  type ChatId,
  type EventId,
  type MessageId,
  type UserId,
} from '#src/core/ids.ts';
import type { ApprovalRequest } from '#src/core/ports.ts';
import { type Clock, systemClock } from '#src/infra/clock.ts';
import { newId } from '#src/infra/ids.ts';
import { createLogger } from '#src/infra/logger.ts';
import { readYesNo } from '#src/language/yes-no.ts';

const CHANNEL = asId<ChannelId>('trial');
/** A Monday morning in Seoul: the answers of two days can be compared. */
const NOW = '2026-11-16T01:00:00Z';

/** It stands still for those who ask what day it is; timers run, so that nothing waits forever. */
const fixedClock: Clock = { ...systemClock, now: () => Temporal.Instant.from(NOW) };

export interface TrialBot {
  /** Says a line in a conversation, and gives what the bot answered. */
  readonly say: (conversation: string, line: string) => Promise<string>;
  readonly stop: () => Promise<void>;
}

/** The whole bot with its offline model and the sample market, on a platform that is only a list of messages. */
export const startTrialBot = async (dataDir: string): Promise<TrialBot> => {
  let host: ChannelHost | undefined;
  let said: string[] = [];
  let asked: readonly ApprovalRequest[] = [];
  const channel: ChannelPlugin = {
    id: CHANNEL,
    capabilities: { maxMessageLength: 20_000, supportsMarkdown: true, supportsTables: true },
    start: async (given) => void (host = given),
    stop: async () => undefined,
    close: async () => undefined,
    isConnected: () => true,
    send: async ({ payload: { text, media = [] } }) => {
      said.push([text, ...media.map(({ name }) => `[${name}]`)].join('\n'));
      return { messageId: newId<MessageId>() };
    },
    requestApproval: async (_target, request) => {
      asked = [...asked, request];
      said.push(questionOf(request, fixedClock));
      return {};
    },
    closeApproval: async (_target, { id }) => {
      asked = asked.filter((request) => request.id !== id);
    },
    directTarget: async (target) => target,
  };
  const config = loadConfig(
    { FINCLAW_MARKET: 'sample', FINCLAW_DATA_DIR: dataDir, FINCLAW_TIME_ZONE: 'Asia/Seoul' },
    dataDir,
  );
  const logger = createLogger({
    level: 'error',
    pretty: true,
    secrets: [],
    write: (line) => void process.stderr.write(line),
  });
  const app = await createApp(config, {
    version: '0.0.0-trial',
    channels: [channel],
    clock: fixedClock,
    logger,
  });
  await app.start();

  /** Whether the line answers a question that waits. */
  const decides = async (line: string, userId: UserId): Promise<boolean> => {
    const [request] = asked;
    const reply = readYesNo(line).kind;
    if (!request || !host || (reply !== 'yes' && reply !== 'no')) return false;
    asked = asked.slice(1);
    const verdict = reply === 'yes' ? 'approved' : 'denied';
    const by = { channelId: CHANNEL, userId, userRoles: [] };
    const outcome = await host.approvals.decide(request.id, verdict, by);
    if (outcome.outcome === 'recorded') await outcome.settled;
    return true;
  };

  return {
    say: async (conversation, line) => {
      said = [];
      const userId = asId<UserId>(conversation);
      if (!(await decides(line, userId))) {
        const id = newId<EventId>();
        const receipt = await host?.receive({
          id,
          messageId: asId<MessageId>(id),
          channelId: CHANNEL,
          accountId: asId<AccountId>('local'),
          chatId: asId<ChatId>(conversation),
          chatType: 'direct',
          senderId: userId,
          senderName: 'you',
          senderRoles: [],
          isFromSelf: false,
          body: line,
          timestamp: fixedClock.now(),
        });
        if (receipt?.outcome === 'accepted') await receipt.settled;
      }
      return said.join('\n\n');
    },
    stop: async () => void (await app.stop()),
  };
};
