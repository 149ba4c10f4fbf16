import type { ServerResponse } from 'node:http';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { FakeAnswer, FakeReply, FakeUsage } from '#test/fakes/model-reply.ts';
import { statusBody } from './errors.ts';
import type { ReplyWriter } from './types.ts';

/**
 * A client that is behind loses what it has not read yet when the connection breaks: fetch throws it away. This
 * is how long it has to read the content before. The turns of the loop are for a client in the same process, which
 * has had none while the process was busy.
 */
const READ_BEFORE_RESET_MS = 25;
const READ_BEFORE_RESET_TURNS = 20;

export interface Stage {
  readonly response: ServerResponse;
  readonly writer: ReplyWriter;
  readonly isStream: boolean;
  readonly onUsage: (usage: FakeUsage) => void;
  /** Breaks the connection in the name of the server: it is not the client that left. */
  readonly sever: () => void;
}

export const sendJson = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void => {
  // After a `hold` the status is said already.
  if (!response.headersSent) response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
};

/** Sends the headers, once, and what of the content a client sees before the end. */
const open = ({ response, writer, isStream }: Stage, answer?: FakeAnswer): void => {
  const isFirst = !response.headersSent;
  if (isFirst) {
    response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' });
  }
  const begin = isFirst ? writer.begin() : [];
  const events = [...begin, ...(answer ? writer.content(answer) : [])];
  if (isStream) events.forEach((event) => response.write(event));
  else response.flushHeaders();
};

/** A broken reply that is not streamed breaks in the middle of its JSON. */
const openHalf = (stage: Stage, answer?: FakeAnswer): void => {
  open(stage, answer);
  if (stage.isStream) return;
  const document = JSON.stringify(stage.writer.document());
  stage.response.write(document.slice(0, Math.floor(document.length / 2)));
};

const finish = (stage: Stage, answer: FakeAnswer): void => {
  const { response, writer, isStream, onUsage } = stage;
  open(stage, answer);
  // In one call with the end, so that a client which leaves at the last event has not left too early.
  const end = writer.end().join('');
  const usage = writer.usage();
  if (usage) onUsage(usage);
  response.end(isStream ? end : JSON.stringify(writer.document()));
};

const fail = (stage: Stage, type: string, answer?: FakeAnswer): void => {
  const { response, writer, isStream } = stage;
  if (isStream) {
    open(stage, answer);
    response.end(writer.fail(type).events.join(''));
    return;
  }
  writer.begin();
  if (answer) writer.content(answer);
  const { status } = writer.fail(type);
  sendJson(
    response,
    status,
    status === 200 ? writer.document() : statusBody({ kind: 'status', status, type, code: type }),
  );
};

const reset = async (stage: Stage, answer?: FakeAnswer): Promise<void> => {
  const { response } = stage;
  if (!answer && !response.headersSent) {
    stage.sever();
    return;
  }
  openHalf(stage, answer);
  await setTimeout(READ_BEFORE_RESET_MS);
  for (let turn = 0; turn < READ_BEFORE_RESET_TURNS; turn++) await setImmediate();
  if (!response.destroyed) stage.sever();
};

/** Does what the reply says. Ends at once when nobody listens any more. */
export const play = async (reply: FakeReply, stage: Stage): Promise<void> => {
  const { response } = stage;
  if (response.destroyed) return;
  switch (reply.kind) {
    case 'answer':
      finish(stage, reply);
      return;
    case 'recorded':
      response.writeHead(200, { 'content-type': stage.isStream ? 'text/event-stream' : 'application/json' });
      response.end(reply.body);
      return;
    case 'truncated-tool':
      finish(stage, {
        toolCalls: [{ name: reply.name, json: reply.json }],
        stopReason: 'max_tokens',
        ...(reply.text !== undefined && { text: reply.text }),
      });
      return;
    case 'status': {
      const body = statusBody(reply);
      const after = reply.retryAfterSeconds;
      if (response.headersSent) fail(stage, body.error.code ?? body.error.type);
      else
        sendJson(response, reply.status, body, after === undefined ? {} : { 'retry-after': String(after) });
      return;
    }
    case 'stream-error':
      fail(stage, reply.type, reply.answer);
      return;
    case 'cut':
      openHalf(stage, reply.answer);
      response.end();
      return;
    case 'stall':
      if (reply.answer) openHalf(stage, reply.answer);
      return;
    case 'reset':
      await reset(stage, reply.answer);
      return;
    case 'hold':
      if (reply.answer) open(stage, reply.answer);
      try {
        await reply.until;
      } catch {
        return stage.sever();
      }
      await play(reply.then, stage);
  }
};
