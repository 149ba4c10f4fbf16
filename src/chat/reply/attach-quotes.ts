import type { Instrument, SymbolSearch } from '#src/kernel/finance.ts';
import { commandMessages } from '#src/kernel/messages/commands.ts';
import type { MarketQuery } from '#src/kernel/market-queries.ts';
import type { Card, MsgContext } from '#src/kernel/message.ts';
import type { Fact } from '#src/kernel/tool.ts';
import { raceAbort, withDeadline } from '#src/platform/abort.ts';
import type { Clock } from '#src/platform/clock.ts';
import { lookUpByTime } from '#src/platform/look-ups-by-time.ts';
import type { FinClawLogger } from '#src/platform/logger.ts';
import { instrumentsIn } from './named-instruments.ts';

export interface AttachQuotesDeps {
  readonly markets: { readonly quotes: MarketQuery<readonly string[]> };
  readonly symbols: SymbolSearch;
  readonly clock: Clock;
  readonly logger: FinClawLogger;
}

interface Quoted {
  /** The answer with the quotes under it, in words. */
  readonly text: string;
  /** Those of the answer, and those of the quotes. */
  readonly facts: readonly Fact[];
  /** The quotes alone, drawn: where a platform can, they stand under the bare answer instead. */
  readonly cards?: readonly Card[];
}

/** Puts live quotes under an answer. Undefined leaves it as it is. Throws on abort alone. */
export type AttachQuotes = (
  answerText: string,
  facts: readonly Fact[],
  ctx: MsgContext,
  signal: AbortSignal,
) => Promise<Quoted | undefined>;

const MAX_QUOTES = 5;
const TIMEOUT_MS = 3_000;
const late = (): Error => new Error('no quotes within 3 s');

export const createAttachQuotes = ({ markets, symbols, clock, logger }: AttachQuotesDeps): AttachQuotes => {
  const instrumentOf = (entity: string): readonly Instrument[] => {
    const match = symbols.resolve(entity);
    return match.status === 'found' && match.instrument.symbol === entity ? [match.instrument] : [];
  };

  /** An answer without words names nothing: then it is about what was looked up, or asked. */
  const wanted = async (
    answerText: string,
    facts: readonly Fact[],
    ctx: MsgContext,
    signal: AbortSignal,
  ): Promise<readonly string[]> => {
    const isBare = answerText.trim() === '';
    const entities = [...new Set(facts.map(({ entity }) => entity))].flatMap(instrumentOf);
    const text = isBare ? ctx.bodyForAgent : answerText;
    const named = await lookUpByTime(symbols, (known) => instrumentsIn(text, known), signal);
    const quoted = new Set(facts.filter(({ metric }) => metric === 'price').map(({ entity }) => entity));
    const found = new Set([...named, ...entities].map(({ symbol }) => symbol));
    // What was quoted in this turn already stands in the answer, where it has any words.
    return [...found].filter((symbol) => isBare || !quoted.has(symbol)).slice(0, MAX_QUOTES);
  };

  return async (answerText, facts, ctx, parent) => {
    const { signal, clear } = withDeadline(parent, TIMEOUT_MS, clock, late);
    try {
      const queries = await wanted(answerText, facts, ctx, signal);
      if (queries.length === 0) return undefined;
      const asking = markets.quotes(queries, ctx, signal);
      const answer = await raceAbort(asking, signal, clock, 0);
      if (answer.found === 0) return undefined;
      const quotes = `${commandMessages(ctx.locale).quotes()}\n\n${answer.content}`;
      return {
        text: [answerText, quotes].filter((part) => part !== '').join('\n\n'),
        facts: [...facts, ...answer.facts],
        ...(answer.cards && { cards: answer.cards.items }),
      };
    } catch (error) {
      parent.throwIfAborted();
      logger.warn('An answer goes out without the quotes it asked for', { inboxId: ctx.inboxId, error });
      return undefined;
    } finally {
      clear();
    }
  };
};
