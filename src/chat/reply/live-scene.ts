import type { ExecutionEvent } from '#src/kernel/execution.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { liveMessages } from '#src/kernel/messages/live.ts';
import { marketNoteMessages } from '#src/kernel/messages/market-notes.ts';
import type { ConversationMessage, ToolCall } from '#src/kernel/model.ts';
import { visibleLine } from '#src/kernel/text.ts';
import { createTokenScanner, type Scanned } from './control-tokens.ts';

/** What is being done by a call, in a few words: "삼성전자 시세 조회 중…". */
export type DescribeTool = (call: ToolCall, locale: Locale) => string;

/** What a person who waits is to see. */
export interface LiveScene {
  readonly status: string;
  /** The answer so far without control tokens, below the mark of made-up data: at its end it could be cut off. */
  readonly text: string;
}

/** A status is one short line, whoever wrote the tool. */
const MAX_STATUS_CHARS = 100;

/** As the answer is put together in the end: blocks apart, parts of a paused answer not. */
const textOf = ({ content }: ConversationMessage): string =>
  content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n\n');

const hasCalls = ({ content }: ConversationMessage): boolean =>
  content.some((block) => block.type === 'tool_use');

/**
 * Follows a run and says after each event what there is to see; undefined where the event shows nothing. Only
 * the last words of the model become the answer: what it said before it called a tool goes again.
 */
export const createLiveScene = (
  locale: Locale,
  describeTool: DescribeTool,
): ((event: ExecutionEvent) => LiveScene | undefined) => {
  const scanner = createTokenScanner();
  /** What the calls under way do, by their ids. */
  const underWay = new Map<string, string>();
  /** Of this answer, what came before the provider paused. */
  let beforePause = '';
  let visible = '';
  let isSilenced = false;
  let isSample = false;

  const read = (scanned: Scanned): void => {
    visible += scanned.visible;
    isSilenced ||= scanned.tokens.some((token) => token === 'NO_REPLY' || token === 'SILENT_REPLY');
  };
  const beginWith = (text: string): void => {
    scanner.reset();
    visible = '';
    isSilenced = false;
    read(scanner.feed(text));
  };

  const complete = (message: ConversationMessage): void => {
    // Nobody is shown the notes of the program.
    if (message.isNote) return;
    const answer = hasCalls(message) ? '' : beforePause + textOf(message);
    beforePause = message.isPaused ? answer : '';
    beginWith(answer);
    if (!message.isPaused) read(scanner.flush());
  };

  const describe = (call: ToolCall): string => {
    let status: string;
    try {
      status = describeTool(call, locale);
    } catch {
      status = liveMessages(locale).usingTool({ name: call.name });
    }
    return Array.from(visibleLine(status)).slice(0, MAX_STATUS_CHARS).join('');
  };

  const scene = (): LiveScene => {
    const answer = isSilenced ? '' : visible.trim();
    const text =
      isSample && answer !== '' ? `${marketNoteMessages(locale).sampleMark()}\n\n${answer}` : answer;
    const [first, ...others] = new Set(underWay.values());
    if (first === undefined)
      return { text, status: text === '' ? liveMessages(locale).thinking() : liveMessages(locale).writing() };
    const status =
      others.length === 0 ? first : liveMessages(locale).amongOthers({ status: first, more: others.length });
    return { text, status };
  };

  const toolBegins = (call: ToolCall): void => {
    // What cannot be run is not at work.
    if (call.malformed === undefined) underWay.set(call.id, describe(call));
  };
  const toolEnds = (id: string, foundSample: boolean): void => {
    underWay.delete(id);
    isSample ||= foundSample;
  };

  return (event) => {
    if (event.type === 'text_delta') read(scanner.feed(event.delta));
    else if (event.type === 'text_reset') beginWith(beforePause);
    else if (event.type === 'message_complete') complete(event.message);
    else if (event.type === 'tool_use_start') toolBegins(event.toolCall);
    else if (event.type === 'tool_use_end') toolEnds(event.toolUseId, event.isSample);
    // The model is asked: no call is under way, also none whose end was never told.
    else if (event.type === 'state_change' && event.to === 'streaming') underWay.clear();
    else return undefined;
    return scene();
  };
};
