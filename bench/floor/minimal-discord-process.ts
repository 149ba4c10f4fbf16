import { Client, Events, GatewayIntentBits } from 'discord.js';
import { openMinimalBot } from './minimal-bot.ts';

/** A bot on Discord that shows that it types and answers a mention where it was made: two calls. */
const { DISCORD_BOT_TOKEN, DISCORD_API_URL } = process.env;
const bot = await openMinimalBot();
const client = new Client({
  intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages, GatewayIntentBits.MessageContent],
  ...(DISCORD_API_URL === undefined ? {} : { rest: { api: DISCORD_API_URL } }),
});
client.on(Events.MessageCreate, (message) => {
  const { channel, author, content } = message;
  if (author.bot || !client.user || !message.mentions.has(client.user) || !channel.isSendable()) return;
  void channel.sendTyping().catch(() => undefined);
  void bot.answer(channel.id, message.id, content).then(async (text) => void (await channel.send(text)));
});
const ready = new Promise((resolve) => client.once(Events.ClientReady, resolve));
await client.login(DISCORD_BOT_TOKEN);
await ready;
process.on('SIGTERM', () => process.exit(0));
console.error('"ready"');
