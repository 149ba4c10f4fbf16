import type { LiveMode } from '#src/kernel/chat/live-answer.ts';
import type { ExecutionEvent } from '#src/kernel/agent/execution.ts';
import type { Locale } from '#src/kernel/locale.ts';
import { liveTexts } from '#src/kernel/chat/texts/live.ts';
import { voiceTexts } from '#src/kernel/chat/texts/voice.ts';
import type { ConversationMessage, ToolCall } from '#src/kernel/agent/model.ts';
import { visibleLine } from '#src/kernel/text.ts';
import { withSampleMark } from '../store/sample-mark.ts';
import { createTokenScanner, type Scanned } from './control-tokens.ts';

/** The status line of a tool call: "삼성전자 시세 조회 중…". */
export type DescribeTool = (call: ToolCall, locale: Locale) => string;

export interface LiveScene {
  readonly status: string;
  /** The answer so far, without control tokens. The sample mark comes first, because the end may be cut off. */
  readonly text: string;
}

/** Plugins' tools may return long texts. */
const MAX_STATUS_CHARS = 100;

/** Joins the text blocks as the final answer does. */
const textOf = ({ content }: ConversationMessage): string =>
  content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n\n');

const hasCalls = ({ content }: ConversationMessage): boolean =>
  content.some((block) => block.type === 'tool_use');

/**
 * Follows a run and returns the scene after each event; undefined if nothing changes. Only the model's last message
 * becomes the answer, so text before a tool call disappears again.
 */
export const createLiveScene = (
  locale: Locale,
  describeTool: DescribeTool,
  /** The words of a voice message, which come first. */
  heard?: string,
  /** With `status`, the text is not shown, so the status has the words. */
  mode: LiveMode = 'stream',
): ((event: ExecutionEvent) => LiveScene | undefined) => {
  const opening = heard === undefined ? '' : voiceTexts(locale).heard({ words: heard });
  const scanner = createTokenScanner();
  /** Status lines of the running calls, by id. */
  const underWay = new Map<string, string>();
  /** The part of this answer before the provider paused. */
  let beforePause = '';
  let visible = '';
  let isSilenced = false;
  let isSample = false;
  /** The model corrects the numbers of its answer. */
  let isRepairing = false;

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
    // Notes of the program are not shown, but what one of them stands for is.
    if (message.isNote && message.shown === undefined) return;
    const answer = hasCalls(message) ? '' : (message.shown ?? beforePause + textOf(message));
    beforePause = message.isPaused ? answer : '';
    beginWith(answer);
    if (!message.isPaused) read(scanner.flush());
  };

  const beginAgain = (isRepair: boolean): void => {
    isRepairing ||= isRepair;
    beginWith(beforePause);
  };

  const describe = (call: ToolCall): string => {
    let status: string;
    try {
      status = describeTool(call, locale);
    } catch {
      status = liveTexts(locale).usingTool({ name: call.name });
    }
    return Array.from(visibleLine(status)).slice(0, MAX_STATUS_CHARS).join('');
  };

  const ownStatus = (answer: string): string => {
    if (answer !== '') return liveTexts(locale).writing();
    return isRepairing ? liveTexts(locale).checkingNumbers() : liveTexts(locale).thinking();
  };

  const statusBeside = (answer: string): string => {
    const [first, ...others] = new Set(underWay.values());
    if (first === undefined) return ownStatus(answer);
    return others.length === 0
      ? first
      : liveTexts(locale).amongOthers({ status: first, more: others.length });
  };

  const scene = (): LiveScene => {
    const answer = isSilenced ? '' : visible.trim();
    const marked = answer === '' ? '' : withSampleMark(answer, [{ isSample }], locale, 'above');
    const text = [opening, marked].filter((part) => part !== '').join('\n\n');
    const status = statusBeside(answer);
    if (mode !== 'status' || heard === undefined) return { text, status };
    return { text, status: voiceTexts(locale).inStatus({ words: heard, status }) };
  };

  const toolBegins = (call: ToolCall): void => {
    // A malformed call is not run.
    if (call.malformed === undefined) underWay.set(call.id, describe(call));
  };
  const toolEnds = (id: string, foundSample: boolean): void => {
    underWay.delete(id);
    isSample ||= foundSample;
  };

  return (event) => {
    if (event.type === 'text_delta') read(scanner.feed(event.delta));
    else if (event.type === 'text_reset') beginAgain(event.isRepair === true);
    else if (event.type === 'message_complete') complete(event.message);
    else if (event.type === 'tool_use_start') toolBegins(event.toolCall);
    else if (event.type === 'tool_use_end') toolEnds(event.toolUseId, event.isSample);
    // A new model request means that no call is running, even if its end was not reported.
    else if (event.type === 'state_change' && event.to === 'streaming') underWay.clear();
    else return undefined;
    return scene();
  };
};
