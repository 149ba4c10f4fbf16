import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createCommandRegistry } from '#src/chat/commands/command-registry.ts';
import { openFeatures } from '#src/features/open/open-features.ts';
import { asId, type InboxId, type UserId } from '#src/kernel/ids.ts';
import { detectLocale } from '#src/kernel/locale.ts';
import type { Choice } from '#src/kernel/chat/message.ts';
import type { CommandResult } from '#src/kernel/chat/command.ts';
import type { SentenceCall } from '#src/kernel/agent/sentence.ts';
import { createSentFiles } from '#src/platform/storage/sent-files.ts';
import { commandsWith } from '#test/commands/all-commands.ts';
import { msgContext, recordingLogger } from '#test/support/context.ts';
import { sqliteStorage, temporaryDir } from '#test/support/database.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { personalDepsOn } from '#test/support/personal-deps.ts';
import { missingNumbers } from '#test/support/printed-numbers.ts';
import { toolContextOf } from '#test/support/tool-context.ts';
import { topicsIn } from '../../scripts/try/lines.ts';

const signal = new AbortController().signal;
const LINES = ['portfolio', 'alerts'].map((name) => join(import.meta.dirname, `../golden/lines/${name}.txt`));
/** Of the golden record. */
const NOW = '2026-11-16T01:00:00Z';
const PRESS = '▸ ';

/** Numbers in these words are no figures. Counts, ids, dates, and examples to type need no fact anywhere. */
const EXCEPTIONS: readonly RegExp[] = [
  // The name of a fund.
  /Leverage Shares »2X« Long/u,
];

type Said = Pick<CommandResult, 'content' | 'facts' | 'cards' | 'choices'>;

const textOf = ({ content, cards }: Said): string =>
  [
    content,
    ...(cards?.items ?? []).flatMap(({ title, headline, footer, fields }) => [
      title,
      headline,
      ...fields.map(({ name, value }) => `${name}\n${value}`),
      footer,
    ]),
  ].join('\n');

/** What people read in answer to the lines of the golden record about what they have, each with its facts. */
const answers = async (): Promise<readonly (readonly [line: string, answer: Said])[]> => {
  const clock = new ManualClock(NOW);
  const features = openFeatures({
    settings: { mode: 'sample', hasLiveSetup: false },
    personal: personalDepsOn((await sqliteStorage()).storage, clock),
    files: createSentFiles({ dataDir: temporaryDir(), clock }),
    clock,
    logger: recordingLogger().logger,
  });
  onTestFinished(features.stop);
  const { portfolio, alerts, watchlist, briefings, chatNotices } = features.personal;
  const registry = createCommandRegistry(
    commandsWith({ portfolio, alerts, watchlist, briefings, chatNotices }),
  );
  const tools = new Map(features.tools.map((tool) => [tool.definition.name, tool]));
  const found: (readonly [string, Said])[] = [];
  for (const { name, lines } of LINES.flatMap((path) => topicsIn(readFileSync(path, 'utf8')))) {
    const calls: SentenceCall[] = [];
    const userId = asId<UserId>(`${name} ${found.length}`);
    let choices: readonly Choice[] = [];
    for (const [index, { text: line }] of lines.entries()) {
      const pressed = line.startsWith(PRESS) ? line.slice(PRESS.length) : undefined;
      const typed = pressed === undefined ? line : choices.find(({ label }) => label === pressed)?.command;
      if (typed === undefined || line.startsWith('@')) continue;
      const locale = /\p{Script=Hangul}/u.test(name) ? 'ko' : detectLocale(typed, undefined, 'en');
      const inboxId = asId<InboxId>(`${userId} ${index}`);
      const command = registry.commandIn(typed);
      let said: Said | undefined;
      if (command?.kind === 'known') {
        const ctx = msgContext({ rawBody: typed, senderId: userId, inboxId, locale });
        said = await registry.execute(command.parsed, ctx, signal);
      } else {
        const today = clock.now().toZonedDateTimeISO('Asia/Seoul').toPlainDate();
        const reading = await features.readSentence({ text: typed, locale, today, calls }, signal);
        calls.push(...reading.calls);
        const [call] = reading.calls;
        const context = toolContextOf({ locale, inboxId, userId });
        said = call && (await tools.get(call.tool)?.invoke(call.input, context, signal));
      }
      if (!said) continue;
      choices = said.choices ?? choices;
      found.push([`${name}: ${line}`, said]);
    }
  }
  return found;
};

it('each number in what people read about what they have is a fact', async () => {
  const all = await answers();
  expect(all.length).toBeGreaterThan(120);
  const lacking = all.flatMap(([line, said]) =>
    missingNumbers({ content: textOf(said), facts: said.facts ?? [] }).map((number) => `${line} → ${number}`),
  );
  const isExcepted = (each: string): boolean => EXCEPTIONS.some((words) => words.test(each));
  expect(lacking.filter((each) => !isExcepted(each))).toEqual([]);
  // Each exception is still needed.
  expect(EXCEPTIONS.filter((words) => !lacking.some((each) => words.test(each)))).toEqual([]);
});
