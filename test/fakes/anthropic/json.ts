import type { ServerResponse } from 'node:http';
import type { Message } from '@anthropic-ai/sdk/resources/messages';
import {
  type AnswerBlock,
  blocksOfAnswer,
  emptyMessage,
  neutralUsage,
  outputTokensOf,
  stopFields,
  stopReasonOf,
  usageOf,
  wholeBlock,
} from './answer.ts';
import { errorBody, type ErrorWords, statusOfType } from './errors.ts';
import type { Wire, WireDeps } from './wire.ts';

export const sendJson = (response: ServerResponse, status: number, requestId: string, body: object): void =>
  void response
    .writeHead(status, { 'content-type': 'application/json', 'request-id': requestId })
    .end(JSON.stringify(body));

export const sendError = (
  response: ServerResponse,
  {
    status,
    retryAfterSeconds,
    ...words
  }: ErrorWords & { status: number; retryAfterSeconds?: number | undefined },
  requestId: string,
): void => {
  if (retryAfterSeconds !== undefined) response.setHeader('retry-after', `${retryAfterSeconds}`);
  sendJson(response, status, requestId, errorBody(words, requestId));
};

/** An answer in one piece. Nothing is sent before it is complete, as the API does it, unless it is to break off. */
export const createJsonWire = (deps: WireDeps): Wire => {
  const { response, body, requestId, sign, readPrompt, report } = deps;
  const blocks: AnswerBlock[] = [];

  const complete = (stopReason: string | undefined): Message => {
    const prompt = readPrompt();
    const output = outputTokensOf(blocks);
    report(neutralUsage(prompt, output));
    return {
      ...emptyMessage(body.model, usageOf(prompt, output)),
      content: blocks.map(wholeBlock),
      ...stopFields(stopReasonOf(stopReason, blocks), body),
    };
  };

  const open = (): void => {
    if (!response.headersSent)
      response.writeHead(200, { 'content-type': 'application/json', 'request-id': requestId });
  };

  return {
    add: (answer) => void blocks.push(...blocksOfAnswer(answer, sign)),
    finish: (stopReason) => sendJson(response, 200, requestId, complete(stopReason)),
    fail: (words) => sendError(response, { status: statusOfType(words.type), ...words }, requestId),
    sendPart: () => {
      open();
      const text = JSON.stringify(complete(undefined));
      response.write(text.slice(0, text.length / 2));
    },
    end: () => {
      open();
      response.end();
    },
  };
};
