import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Grade, gradeOf, topicsIn } from './try/lines.ts';
import { startTrialBot } from './try/trial-bot.ts';

// `npm run try -- lines.txt`, or lines on standard input: sends each line to the offline bot and prints its answers by
// topic, with a count of the useful ones where the file says what is expected.

const MARKS: Readonly<Record<Grade, string>> = { useful: '✔', useless: '–', wrong: '✘', ungraded: ' ' };

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const path = process.argv[2];
const topics = topicsIn(path === undefined ? await text(process.stdin) : await readFile(path, 'utf8'));
const dataDir = await mkdtemp(join(tmpdir(), 'finclaw-try-'));
const bot = await startTrialBot(dataDir);
const summary: string[] = [];
let hasWrong = false;
try {
  for (const { name, lines } of topics) {
    print(`\n# ${name}`);
    const grades: Grade[] = [];
    for (const line of lines) {
      const answer = await bot.say(name, line.text);
      const grade = gradeOf(line, answer);
      grades.push(grade);
      print(`\n${MARKS[grade]} › ${line.text}\n${answer.replaceAll(/^/gmu, '    ')}`);
    }
    const count = (grade: Grade): number => grades.filter((each) => each === grade).length;
    const graded = grades.length - count('ungraded');
    hasWrong ||= count('wrong') > 0;
    summary.push(
      graded === 0
        ? `${name}: ${grades.length} lines`
        : `${name}: ${count('useful')} of ${graded} useful, ${count('wrong')} wrong`,
    );
  }
} finally {
  await bot.stop();
  await rm(dataDir, { recursive: true, force: true });
}
print(`\n${summary.join('\n')}`);
process.exitCode = hasWrong ? 1 : 0;
