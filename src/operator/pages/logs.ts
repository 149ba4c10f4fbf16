import { html } from 'hono/html';
import { LOG_LEVELS, type LogLevel, type LogLine } from '#src/kernel/operations/log.ts';
import { badge, note, optionsOf, table, time, type BadgeTone } from '../markup.ts';
import type { Page, Section } from '../page.ts';
import { pageTexts } from './texts.ts';

/** More lines would make the page too large. */
const MAX_SHOWN = 100;
const MAX_LINE_CHARS = 300;

const TONES = { debug: 'plain', info: 'plain', warn: 'warn', error: 'bad' } as const satisfies Record<
  LogLevel,
  BadgeTone
>;

const shortened = (text: string): string => {
  const characters = Array.from(text);
  return characters.length > MAX_LINE_CHARS ? `${characters.slice(0, MAX_LINE_CHARS).join('')}…` : text;
};

/** The text begins with the name of the logger, which has a column of its own. */
const withoutLogger = ({ logger, text }: LogLine): string =>
  text.startsWith(`${logger}: `) ? text.slice(logger.length + 2) : text;

const lines: Section = {
  id: 'logs',
  isOfThisProcess: true,
  render: async (view) => {
    const t = pageTexts(view.locale);
    const level = LOG_LEVELS.find((one) => one === view.query.get('level')) ?? 'info';
    const all = view.reports.log();
    const shown = all
      .filter((line) => LOG_LEVELS.indexOf(line.level) >= LOG_LEVELS.indexOf(level))
      .toReversed()
      .slice(0, MAX_SHOWN);
    return html`<form class="filter" method="get" action="/operator/logs">
        <p>
          <label for="level">${t.atLeast}</label
          ><select id="level" name="level">
            ${optionsOf(
              LOG_LEVELS.map((one) => [one, t.levels[one]] as const),
              level,
            )}
          </select>
        </p>
        <p><button>${t.filter}</button></p>
      </form>
      ${note(t.logNote({ shown: shown.length, count: all.length }))}
      <div class="log">
        ${table(
          {
            id: 'logs',
            caption: t.newestFirst,
            columns: [{ title: t.at }, { title: t.level }, { title: t.logger }, { title: t.text }],
          },
          shown.map((line) => [
            time(line.at, view),
            badge(t.levels[line.level], TONES[line.level]),
            line.logger,
            shortened(withoutLogger(line)),
          ]),
          view,
        )}
      </div>`;
  },
};

export const logs: Page = { id: 'logs', sections: [lines] };
