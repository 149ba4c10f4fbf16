import { setTimeout } from 'node:timers/promises';
import { CHANNELS } from '#channels/index.ts';
import { createApp } from '#src/app.ts';
import { loadConfig } from '#src/platform/config/config.ts';
import { asId, type ChannelId, type MessageId } from '#src/kernel/ids.ts';
import { systemClock } from '#src/platform/concurrency/clock.ts';
import { newId } from '#src/platform/ids.ts';
import { createLogger } from '#src/platform/logging/logger.ts';
import { inboundMessage } from '#test/support/messages.ts';

/**
 * The whole program in a process of its own, to be killed. Talks to its parent over IPC: receives
 * `{ id, body }`, reports `accepted`, `sending`, `sent`. With HANG_ON_SEND it never gets a part out, with
 * SEND_DELAY_MS it takes that long over each.
 */
type Report =
  | { readonly type: 'ready' }
  | { readonly type: 'accepted'; readonly id: string; readonly outcome: string }
  | { readonly type: 'sending' | 'sent'; readonly text: string };

const report = (message: Report): void => void process.send?.(message);
const channelId = asId<ChannelId>('test');

const app = await createApp(loadConfig(process.env, process.cwd(), CHANNELS), {
  version: '0.0.0-test',
  platforms: CHANNELS,
  clock: systemClock,
  logger: createLogger({
    level: 'error',
    pretty: false,
    secrets: [],
    write: (line) => void process.stderr.write(line),
  }),
  channels: [
    {
      id: channelId,
      capabilities: { maxMessageLength: 2_000, supportsMarkdown: true, supportsTables: false },
      start: async (host) => {
        process.on('message', ({ id, body }: { readonly id: string; readonly body: string }) => {
          void host
            .receive(inboundMessage({ id: asId(id), channelId, body }))
            .then(({ outcome }) => report({ type: 'accepted', id, outcome }));
        });
      },
      stop: async () => undefined,
      close: async () => undefined,
      isConnected: () => true,
      send: async ({ payload }) => {
        report({ type: 'sending', text: payload.text });
        if (process.env['HANG_ON_SEND']) await new Promise(() => undefined);
        await setTimeout(Number(process.env['SEND_DELAY_MS'] ?? 0));
        report({ type: 'sent', text: payload.text });
        return { messageId: newId<MessageId>() };
      },
    },
  ],
});
process.on('SIGTERM', () => void app.stop().then(() => process.exit(0)));
await app.start();
report({ type: 'ready' });
