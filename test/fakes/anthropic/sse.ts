import type {
  Message,
  RawContentBlockDelta,
  RawContentBlockStartEvent,
  RawMessageStreamEvent,
} from '@anthropic-ai/sdk/resources/messages';
import {
  type AnswerBlock,
  blocksOfAnswer,
  emptyMessage,
  neutralUsage,
  outputTokensOf,
  stopFields,
  stopReasonOf,
  usageOf,
} from './answer.ts';
import type { CachedPrompt } from './cache.ts';
import { errorBody } from './errors.ts';
import type { Wire, WireDeps } from './wire.ts';

const DEFAULT_PIECE_CHARS = 12;
/** What `message_start` says of the output: a first number, and not the one that counts. */
const FIRST_OUTPUT_TOKENS = 1;

/** Whole characters: the API never sends half of one. */
const piecesOf = (text: string, chars: number): readonly string[] =>
  text.match(new RegExp(`.{1,${chars}}`, 'gsu')) ?? [];

const emptyBlock = (block: AnswerBlock): RawContentBlockStartEvent['content_block'] => {
  if (block.type === 'thinking') return { type: 'thinking', thinking: '', signature: '' };
  if (block.type === 'text') return { type: 'text', text: '', citations: null };
  return { type: 'tool_use', id: block.id, name: block.name, input: {}, caller: { type: 'direct' } };
};

const deltasOf = (block: AnswerBlock, chars: number): readonly RawContentBlockDelta[] => {
  if (block.type === 'thinking')
    return [
      ...piecesOf(block.thinking, chars).map((thinking) => ({ type: 'thinking_delta', thinking }) as const),
      { type: 'signature_delta', signature: block.signature },
    ];
  if (block.type === 'text') return piecesOf(block.text, chars).map((text) => ({ type: 'text_delta', text }));
  // The API begins the arguments with an empty piece.
  return ['', ...piecesOf(block.json, chars)].map((partial_json) => ({
    type: 'input_json_delta',
    partial_json,
  }));
};

/** An answer as server-sent events. Every block is closed, also where the message never ends. */
export const createEventWire = (deps: WireDeps): Wire => {
  const { response, body, requestId, sign, readPrompt, report } = deps;
  const blocks: AnswerBlock[] = [];
  let started: { readonly prompt: CachedPrompt; readonly message: Message } | undefined;

  const open = (): void => {
    if (response.headersSent) return;
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
      'request-id': requestId,
    });
    response.flushHeaders();
  };

  const send = (event: RawMessageStreamEvent | { readonly type: string }): void =>
    void response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);

  const start = (): CachedPrompt => {
    if (started !== undefined) return started.prompt;
    open();
    const prompt = readPrompt();
    const message = emptyMessage(body.model, usageOf(prompt, FIRST_OUTPUT_TOKENS));
    started = { prompt, message };
    send({ type: 'message_start', message });
    send({ type: 'ping' });
    report(neutralUsage(prompt, FIRST_OUTPUT_TOKENS));
    return prompt;
  };

  const sendBlock = (block: AnswerBlock, index: number, pieceChars: number): void => {
    send({ type: 'content_block_start', index, content_block: emptyBlock(block) });
    for (const delta of deltasOf(block, pieceChars)) send({ type: 'content_block_delta', index, delta });
    send({ type: 'content_block_stop', index });
  };

  return {
    add: (answer) => {
      start();
      for (const block of blocksOfAnswer(answer, sign)) {
        sendBlock(block, blocks.push(block) - 1, answer.pieceChars ?? DEFAULT_PIECE_CHARS);
      }
    },
    finish: (stopReason) => {
      const prompt = start();
      const output = outputTokensOf(blocks);
      send({
        type: 'message_delta',
        delta: { container: null, ...stopFields(stopReasonOf(stopReason, blocks), body) },
        usage: usageOf(prompt, output),
      });
      report(neutralUsage(prompt, output));
      send({ type: 'message_stop' });
      response.end();
    },
    fail: (words) => {
      open();
      response.end(`event: error\ndata: ${JSON.stringify(errorBody(words, requestId))}\n\n`);
    },
    sendPart: open,
    end: () => {
      open();
      response.end();
    },
  };
};
