import { setTimeout } from 'node:timers/promises';
import { type AnthropicBody, type AnthropicMessage, blocksOf } from '#test/fakes/anthropic/body.ts';
import type { FakeReply, FakeScript } from '#test/fakes/model-reply.ts';
import { answerTo, markersIn, wishesIn } from './words.ts';

const callsTool = ({ role, content }: AnthropicMessage): boolean =>
  role === 'assistant' && blocksOf(content).some(({ type }) => type === 'tool_use');

/** What others said before is no question of this turn. */
const EARLIER = /<earlier_messages>[^]*?<\/earlier_messages>/g;

const wordsOf = ({ role, content }: AnthropicMessage): string =>
  role === 'user'
    ? blocksOf(content)
        .map((block) => (block.type === 'text' ? block.text : ''))
        .join('\n')
        .replaceAll(EARLIER, '')
    : '';

/** All that stands behind the last answer that was an end. */
const turnIn = ({ messages }: AnthropicBody): readonly AnthropicMessage[] =>
  messages.slice(
    messages.findLastIndex((message) => message.role === 'assistant' && !callsTool(message)) + 1,
  );

const SHORTEST_MS = 10;
const SPREAD_MS = 50;

/** Some delay, the same one for the same words. */
const delayFor = (text: string): number =>
  SHORTEST_MS + (Buffer.from(text).reduce((sum, byte) => (sum * 31 + byte) % 9_973, 7) % SPREAD_MS);

const replyTo = (body: AnthropicBody, fillerRepeats: number): FakeReply => {
  const turn = turnIn(body);
  const words = turn.map(wordsOf).join('\n');
  const { toolCalls, isLong } = wishesIn(words);
  const mayCall = body.tool_choice?.type !== 'none';
  return mayCall && turn.filter(callsTool).length < toolCalls
    ? { kind: 'answer', toolCalls: [{ name: 'get_quote', input: { symbols: ['AAPL'] } }] }
    : { kind: 'answer', text: answerTo(markersIn(words), isLong, fillerRepeats), pieceChars: 200 };
};

/**
 * A model that names the questions of this turn, and looks things up before where they ask for it. What it
 * says depends on the request alone.
 */
export const createModel = (onRequest: () => void, fillerRepeats: number): FakeScript<AnthropicBody> => {
  return (body) => {
    onRequest();
    const until = setTimeout(delayFor(JSON.stringify(body.messages.slice(-2))));
    // oxlint-disable-next-line unicorn/no-thenable -- the shared word for it; nobody awaits a reply
    return { kind: 'hold', until, then: replyTo(body, fillerRepeats) };
  };
};
