import type { ServerResponse } from 'node:http';
import type { FakeReply, FakeScript } from '../model-reply.ts';
import { newRequestId, type Signer } from './answer.ts';
import { type AnthropicBody, NO_BODY } from './body.ts';
import type { PromptCache } from './cache.ts';
import { typeOfStatus } from './errors.ts';
import type { Connection, Exchange } from './exchange.ts';
import { createJsonWire, sendError, sendJson } from './json.ts';
import { MODEL_PAGE } from './models.ts';
import { play } from './play.ts';
import { promptOf, tokensOfPrompt } from './prompt.ts';
import type { ReceivedRequest } from './request.ts';
import { isFields } from './shape.ts';
import { createEventWire } from './sse.ts';
import { problemOf } from './validate.ts';

export interface HandlerDeps {
  readonly isRightKey: (apiKey: string) => boolean;
  readonly contextWindow: number;
  readonly keepBodies: boolean;
  readonly signer: Signer;
  readonly cache: PromptCache;
  readonly record: (exchange: Exchange) => void;
  readonly nextScript: () => FakeScript<AnthropicBody>;
}

interface Refusal {
  readonly status: number;
  readonly problem: string;
}

const COUNT_PATH = '/v1/messages/count_tokens';
const MESSAGES_PATH = '/v1/messages';
const MODELS_PATH = '/v1/models';

const refusalOf = (request: ReceivedRequest, deps: HandlerDeps): Refusal | undefined => {
  const { method, path, apiKey, hasVersion, body, jsonProblem } = request;
  if (apiKey === '') return { status: 401, problem: 'x-api-key header is required' };
  if (!deps.isRightKey(apiKey)) return { status: 401, problem: 'invalid x-api-key' };
  if (!hasVersion) return { status: 400, problem: 'anthropic-version: header is required' };
  if (method === 'GET' && path === MODELS_PATH) return undefined;
  if (method !== 'POST' || (path !== MESSAGES_PATH && path !== COUNT_PATH))
    return { status: 404, problem: 'Not found' };
  const problem =
    jsonProblem ?? problemOf(body, { isCount: path === COUNT_PATH, isSigned: deps.signer.isSigned });
  return problem === undefined ? undefined : { status: 400, problem };
};

const runScript = (script: FakeScript<AnthropicBody>, body: AnthropicBody): FakeReply => {
  if (typeof script !== 'function') return script;
  try {
    return script(body);
  } catch (error) {
    // To the client, since that is where the test looks.
    return { kind: 'status', status: 500, message: `The script of the fake failed: ${String(error)}` };
  }
};

/** Answers one request, and writes down what became of it. */
export const handle = async (
  request: ReceivedRequest,
  response: ServerResponse,
  connection: Connection,
  deps: HandlerDeps,
): Promise<void> => {
  const requestId = newRequestId();
  const { path, apiKey } = request;
  const body = isFields(request.body) ? (request.body as unknown as AnthropicBody) : NO_BODY;
  const exchange: Exchange = {
    path,
    requestId,
    apiKey,
    body: deps.keepBodies ? body : NO_BODY,
    outcome: 'answer',
    wasAborted: connection.wasAborted,
  };
  deps.record(exchange);

  const refuse = ({ status, problem }: Refusal): void => {
    exchange.outcome = 'refused';
    exchange.problem = problem;
    sendError(response, { status, type: typeOfStatus(status), message: problem }, requestId);
  };
  const refusal = refusalOf(request, deps);
  if (refusal !== undefined) return refuse(refusal);
  if (path === MODELS_PATH) return sendJson(response, 200, requestId, MODEL_PAGE);
  const prompt = promptOf(body);
  const tokens = tokensOfPrompt(prompt);
  if (path === COUNT_PATH) return sendJson(response, 200, requestId, { input_tokens: tokens });
  if (tokens > deps.contextWindow)
    return refuse({
      status: 400,
      problem: `prompt is too long: ${tokens} tokens > ${deps.contextWindow} maximum`,
    });

  const reply = runScript(deps.nextScript(), body);
  exchange.outcome = reply.kind;
  const wire = (body.stream === true ? createEventWire : createJsonWire)({
    response,
    body,
    requestId,
    sign: (thinking) => deps.signer.sign(body.model, thinking),
    readPrompt: () => deps.cache.use(apiKey, body, prompt),
    report: (usage) => {
      exchange.usage = usage;
    },
  });
  const destroy = (): void => {
    connection.endByServer();
    response.destroy();
  };
  await play(reply, { response, requestId, wire, destroy });
};
