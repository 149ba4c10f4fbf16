/**
 * Those of a project that take longest, so that none of them is left alone at the end. Those that mostly wait stand
 * between those that mostly compute.
 */
export const LONGEST_FILES = [
  // They collect garbage, which is quick as long as a worker has little.
  'test/agent/providers/abort-after-collection.test.ts',
  'test/platform/recent-messages.test.ts',
  'test/platform/concurrency/serial-queue.test.ts',
  'test/agent/prompt/session-prompts.test.ts',
  'test/faults/shared/rounds.test.ts',
  'test/faults/shared/discord-shards.test.ts',
  'test/browser/every-page.test.ts',
  'test/flows/platforms/every-button-slack.test.ts',
  'test/flows/platforms/every-button-discord.test.ts',
  'test/flows/shared-processes.server.test.ts',
  'test/platform/cluster/cluster.server.test.ts',
  'test/flows/platforms/personal-finance.test.ts',
  'test/channels/discord/shards.test.ts',
  'test/golden/answers.test.ts',
  'test/flows/shared-alerts.server.test.ts',
  'test/platform/storage/postgres.server.test.ts',
  'test/platform/storage/fences.server.test.ts',
  'test/flows/platforms/discord.test.ts',
  'test/flows/platforms/briefing-cards.test.ts',
  'test/flows/platforms/slack.test.ts',
  'test/channels/slack/home/home.test.ts',
  'test/worst-input/texts.test.ts',
  'test/platform/cluster/shard-claims.server.test.ts',
  'test/worst-input/messages.test.ts',
  'test/flows/start-up.test.ts',
  'test/worst-input/files.test.ts',
  'test/flows/platforms/slack-home.test.ts',
  'test/worst-input/ledgers.test.ts',
  'test/flows/pictures.test.ts',
  'test/flows/doctor-advice.test.ts',
  'test/flows/phone-cards.test.ts',
];
