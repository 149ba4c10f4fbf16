/**
 * The parts of `node:http` and `node:https` that this program uses. An `import` of those modules reads all of their
 * exports, and one of them loads Node's whole fetch client: 35 ms of every start.
 */
export const {
  Agent: HttpAgent,
  createServer,
  request: requestHttp,
  STATUS_CODES,
} = process.getBuiltinModule('node:http');
export const { Agent: HttpsAgent, request: requestHttps } = process.getBuiltinModule('node:https');
