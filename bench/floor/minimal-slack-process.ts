import { App, LogLevel } from '@slack/bolt';
import { openMinimalBot } from './minimal-bot.ts';

/** A bot on Slack that reacts to a mention and answers it in its thread: two calls. */
const { SLACK_BOT_TOKEN = '', SLACK_APP_TOKEN = '', SLACK_API_URL = '' } = process.env;
const bot = await openMinimalBot();
const app = new App({
  token: SLACK_BOT_TOKEN,
  appToken: SLACK_APP_TOKEN,
  socketMode: true,
  logLevel: LogLevel.WARN,
  clientOptions: { slackApiUrl: SLACK_API_URL },
});
app.event('app_mention', async ({ event, body, client }) => {
  const { channel, ts, thread_ts: thread = ts } = event;
  void client.reactions.add({ channel, timestamp: ts, name: 'eyes' }).catch(() => undefined);
  const text = await bot.answer(`${channel} ${thread}`, body.event_id, event.text);
  await client.chat.postMessage({ channel, thread_ts: thread, text });
});
await app.start();
process.on('SIGTERM', () => process.exit(0));
console.error('"ready"');
