import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { gradeOf, topicsIn } from '../../scripts/try/lines.ts';
import { startTrialBot } from '../../scripts/try/trial-bot.ts';
import { temporaryDir } from '#test/support/database.ts';
import { copyDatabaseTo } from '#test/support/database.ts';

const USEFUL_SHARE = 0.8;

it('four of five natural lines are answered usefully by the offline bot, and none wrongly', async () => {
  const dataDir = temporaryDir();
  await copyDatabaseTo(dataDir);
  const topics = topicsIn(await readFile(join(import.meta.dirname, 'natural-lines.txt'), 'utf8'));
  const bot = await startTrialBot(dataDir);
  onTestFinished(bot.stop);
  const graded = [];
  for (const { name, lines } of topics)
    for (const line of lines) {
      const answer = await bot.say(name, line.text);
      graded.push({ text: line.text, grade: gradeOf(line, answer), answer });
    }
  const useful = graded.filter(({ grade }) => grade === 'useful');
  expect(graded.length).toBeGreaterThanOrEqual(200);
  expect(graded.filter(({ grade }) => grade === 'wrong')).toEqual([]);
  expect(useful.length / graded.length).toBeGreaterThanOrEqual(USEFUL_SHARE);
}, 120_000);
