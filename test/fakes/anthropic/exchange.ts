import type { ServerResponse } from 'node:http';
import type { FakeExchange } from '../model-reply.ts';
import type { AnthropicBody } from './body.ts';

/** A line of the history while it is still being written. */
export type Exchange = {
  -readonly [Field in keyof FakeExchange<AnthropicBody>]: FakeExchange<AnthropicBody>[Field];
};

/** Who ended a connection. The history keeps it for ever, so it holds nothing of the request. */
export interface Connection {
  readonly wasAborted: () => boolean;
  /** From here on its end is the server's doing. */
  readonly endByServer: () => void;
}

interface State {
  isAborted: boolean;
  isEndedByServer: boolean;
}

/** A function of its own: a closure beside those of `connectionOf` would keep the response alive with them. */
const listen = (response: ServerResponse, state: State): void => {
  response.once('close', () => {
    state.isAborted = !response.writableFinished && !state.isEndedByServer;
  });
  // Writing to a client that has just gone is no error of the test.
  response.on('error', () => undefined);
};

export const connectionOf = (response: ServerResponse): Connection => {
  const state: State = { isAborted: false, isEndedByServer: false };
  listen(response, state);
  return {
    wasAborted: () => state.isAborted,
    endByServer: () => {
      state.isEndedByServer = true;
    },
  };
};
