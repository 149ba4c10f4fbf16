import type { ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { FakeAnswer, FakeReply } from '../model-reply.ts';
import { typeOfStatus } from './errors.ts';
import { sendError } from './json.ts';
import type { Wire } from './wire.ts';

/**
 * So long does a client have to read what came before its connection is destroyed: fetch throws away what nobody
 * has read yet.
 */
const READ_BEFORE_RESET_MS = 25;

export interface Stage {
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly wire: Wire;
  /** Ends the connection in the name of the server, so that it does not look like an abort of the client. */
  readonly destroy: () => void;
}

const sendPartOf = (wire: Wire, answer: FakeAnswer | undefined): void => {
  if (answer === undefined) return;
  wire.add(answer);
  wire.sendPart();
};

/** Does what the script says. It comes to its end where the reply does; a stalled one comes to none. */
export const play = async (reply: FakeReply, stage: Stage): Promise<void> => {
  const { response, requestId, wire, destroy } = stage;
  switch (reply.kind) {
    case 'answer':
      wire.add(reply);
      wire.finish(reply.stopReason);
      return;
    case 'status': {
      const { status, type = typeOfStatus(status), message, code, retryAfterSeconds } = reply;
      // After a hold with content the status line is gone: what is left is the error in the stream.
      if (response.headersSent) wire.fail({ type, message, code });
      else sendError(response, { status, type, message, code, retryAfterSeconds }, requestId);
      return;
    }
    case 'stream-error':
      if (reply.answer !== undefined) wire.add(reply.answer);
      wire.fail({ type: reply.type });
      return;
    case 'recorded':
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(reply.body);
      return;
    case 'cut':
      sendPartOf(wire, reply.answer);
      wire.end();
      return;
    case 'stall':
      sendPartOf(wire, reply.answer);
      return;
    case 'reset':
      sendPartOf(wire, reply.answer);
      if (response.headersSent) await setTimeout(READ_BEFORE_RESET_MS);
      destroy();
      return;
    case 'truncated-tool': {
      const { name, json, text } = reply;
      wire.add({ toolCalls: [{ name, json }], ...(text === undefined ? {} : { text }) });
      wire.finish('max_tokens');
      return;
    }
    case 'hold':
      if (reply.answer !== undefined) wire.add(reply.answer);
      await reply.until;
      // Nobody is left to answer once the client has gone.
      if (!response.destroyed) await play(reply.then, stage);
  }
};
