import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';
import { startFakeAnthropic } from '#test/fakes/anthropic/server.ts';
import { startFakeDiscord } from '#test/fakes/discord/server.ts';
import { bundledProgram } from '#test/support/bundled-programs.ts';
import { copyDatabaseTo } from '#test/support/database.ts';
import { BotProcess } from '../bot-process.ts';

const PROGRAM = bundledProgram('dying-bot-process');

/** A model, Discord, and one process after the other on the same data, each killed by itself behind an entry. */
export const startDyingBots = async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'finclaw-fault-'));
  await copyDatabaseTo(dataDir);
  const claude = await startFakeAnthropic();
  const discord = await startFakeDiscord();
  const bots: BotProcess[] = [];
  onTestFinished(async () => {
    for (const bot of bots) bot.end('SIGKILL');
    await Promise.all(bots.map(({ exited }) => exited));
    await Promise.all([claude.close(), discord.close()]);
    rmSync(dataDir, { recursive: true, force: true });
  });
  const load = (lastLine?: number): BotProcess => {
    const bot = new BotProcess(PROGRAM, {
      FINCLAW_GROUNDING: 'repair',
      FINCLAW_DATA_DIR: dataDir,
      FINCLAW_CONFIG: join(dataDir, 'finclaw.config.json'),
      ANTHROPIC_API_KEY: 'geheim-claude-eins-1111',
      ANTHROPIC_BASE_URL: claude.url,
      OPENAI_API_KEY: '',
      DATABASE_URL: '',
      FINCLAW_HTTP_PORT: '',
      FINCLAW_MODEL: 'sonnet',
      FINCLAW_FALLBACKS: 'none',
      DISCORD_BOT_TOKEN: discord.token,
      DISCORD_API_URL: discord.apiUrl,
      SLACK_BOT_TOKEN: '',
      SLACK_APP_TOKEN: '',
      ...(lastLine === undefined ? {} : { LAST_LINE: String(lastLine) }),
    });
    bots.push(bot);
    return bot;
  };
  return { dataDir, claude, discord, load };
};

/** The stored conversation: of a bot that runs, what a kill would leave. */
export const linesIn = (dataDir: string): readonly string[] => {
  const copy = mkdtempSync(join(tmpdir(), 'finclaw-test-'));
  cpSync(dataDir, copy, { recursive: true });
  const database = new DatabaseSync(join(copy, 'finclaw.sqlite'));
  try {
    return database
      .prepare(`select message from transcript_entries where state = 'current' order by position, version`)
      .all()
      .map(({ message }) => String(message));
  } finally {
    database.close();
    rmSync(copy, { recursive: true });
  }
};
