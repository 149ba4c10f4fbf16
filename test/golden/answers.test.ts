import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type Grade, gradeOf, type NaturalLine, topicsIn } from '../../scripts/try/lines.ts';
import { type Golden, startGolden } from './bot.ts';
import { expectRecorded, withoutIds } from './record.ts';

const LINES = join(import.meta.dirname, 'lines');
const PRESS = /^▸\s*(?<label>.+)$/u;
const TIME = /^@\s*(?<instant>\S+)$/u;
const BUTTON = /^\[button\] (?<json>.+)$/gmu;

const commandBehind = (answer: string, label: string): string | undefined => {
  const buttons = [...answer.matchAll(BUTTON)].map(
    ({ groups }) =>
      JSON.parse(groups?.['json'] ?? '{}') as { readonly label: string; readonly command: string },
  );
  const found = buttons.find((button) => button.label === label);
  return found?.command;
};

interface Conversation {
  readonly text: string;
  readonly grades: ReadonlyMap<string, Grade>;
}

/** One conversation, from above to below. `▸ label` presses a button of the last answer; `@ instant` moves the time. */
const converse = async (
  bot: Golden,
  person: string,
  lines: readonly NaturalLine[],
): Promise<Conversation> => {
  const said: string[] = [];
  const grades = new Map<string, Grade>();
  let last = '';
  for (const natural of lines) {
    const { text: line } = natural;
    const instant = TIME.exec(line)?.groups?.['instant'];
    if (instant !== undefined) {
      bot.moveTo(instant);
      said.push(`@ ${instant}`);
      continue;
    }
    const label = PRESS.exec(line)?.groups?.['label'];
    const typed = label === undefined ? line : commandBehind(last, label);
    last = typed === undefined ? `No such button below: ${last}` : await bot.say(person, typed);
    grades.set(line, gradeOf(natural, last));
    said.push(`› ${line}\n${last}`);
  }
  return { text: withoutIds(said.join('\n\n')), grades };
};

/** Of the lines of which the file says what a useful answer contains. */
const USEFUL_SHARE = 0.8;

it.for(readdirSync(LINES))(
  'the answers to the lines of %s are the recorded ones, most are useful, and none is wrong',
  { timeout: 180_000 },
  async (name) => {
    const bot = await startGolden();
    onTestFinished(bot.stop);
    const talks: string[] = [];
    const grades: [line: string, grade: Grade][] = [];
    for (const { name: person, lines } of topicsIn(readFileSync(join(LINES, name), 'utf8'))) {
      const conversation = await converse(bot, person, lines);
      talks.push(`# ${person}\n\n${conversation.text}`);
      grades.push(...conversation.grades);
    }
    const graded = grades.filter(([, grade]) => grade !== 'ungraded');
    const useful = graded.filter(([, grade]) => grade === 'useful');
    expect(graded.filter(([, grade]) => grade === 'wrong')).toEqual([]);
    expect(useful.length).toBeGreaterThanOrEqual(graded.length * USEFUL_SHARE);
    await expectRecorded(`answers/${basename(name, '.txt')}`, talks.join('\n\n'));
  },
);
