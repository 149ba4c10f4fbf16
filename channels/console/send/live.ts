import type { LiveAnswer, LiveOptions } from '#src/kernel/chat/live-answer.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { withVisibleLinksSoFar } from '#src/platform/text/visible-links.ts';
import { afterInContext, type Clock } from '#src/platform/concurrency/clock.ts';
import { drawMarkdown } from './markdown.ts';
import type { Screen } from './screen.ts';
import { paint, span } from './spans.ts';

interface LiveDeps {
  readonly screen: Screen;
  readonly hasColour: boolean;
  readonly clock: Clock;
}

const WHEEL = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
export const TURN_MS = 120;
/** Rows that stay free for the typed line and the question above. */
const FREE_ROWS = 4;
const LEAST_ROWS = 3;

/** The lines of one source of changes. Removed when the array is empty. */
type Part = readonly string[];

/** Shares the changing part of the screen among the answers that are being generated and the waiting sign. */
export const createLiveArea = ({ screen, hasColour, clock }: LiveDeps) => {
  const parts = new Map<symbol, Part>();
  const WAITING = Symbol('waiting');

  const put = (who: symbol, lines: Part): void => {
    if (lines.length === 0) parts.delete(who);
    else parts.set(who, lines);
    screen.show([...parts.values()].flat());
  };

  /** Only the end of a long answer: a terminal cannot change what has left the screen. */
  const endOf = (lines: readonly string[]): readonly string[] =>
    lines.slice(-Math.max(LEAST_ROWS, screen.rows() - FREE_ROWS));

  const drawnText = (text: string, locale: Locale): readonly string[] =>
    drawMarkdown(withVisibleLinksSoFar(text), { width: screen.columns(), hasColour, locale });

  return {
    /** A sign that something is being done, until something is printed or shown. */
    showWaiting: (): void => {
      if (parts.size === 0) put(WAITING, [paint([span('…', 'dim')], hasColour)]);
    },
    hideWaiting: (): void => {
      if (parts.has(WAITING)) put(WAITING, []);
    },
    open: ({ locale }: Pick<LiveOptions, 'locale'>): LiveAnswer => {
      const who = Symbol('answer');
      let text = '';
      let status = '';
      let turns = 0;
      let isEnded = false;
      let cancel: (() => void) | undefined;
      let drawn: { readonly text: string; readonly width: number; readonly lines: Part } | undefined;

      const linesOfText = (): Part => {
        if (text.trim() === '') return [];
        const width = screen.columns();
        if (drawn?.text !== text || drawn.width !== width)
          drawn = { text, width, lines: drawnText(text, locale) };
        return endOf(drawn.lines);
      };
      const draw = (): void => {
        const sign = WHEEL[turns % WHEEL.length] ?? '';
        const words = status.replaceAll(/\s+/g, ' ');
        const line = paint([span(`${sign} ${words}`, 'dim')], hasColour);
        put(who, [...linesOfText(), ...(words === '' ? [] : [line])]);
      };
      /** Text arrives far more often than the eye can follow. */
      const turn = (): void => {
        turns += 1;
        draw();
        cancel = afterInContext(clock, TURN_MS, turn);
      };
      const change = (): void => {
        if (isEnded || cancel) return;
        parts.delete(WAITING);
        draw();
        cancel = afterInContext(clock, TURN_MS, turn);
      };

      return {
        showStatus: (newest) => {
          status = newest;
          change();
        },
        showText: (whole) => {
          text = whole;
          change();
        },
        // Nothing of it is left on the screen, so the answer replaces nothing.
        end: async () => {
          isEnded = true;
          cancel?.();
          put(who, []);
          return undefined;
        },
      };
    },
  };
};
