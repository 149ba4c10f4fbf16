/**
 * The parts of `node:http` and `node:https` that this program uses. An `import` of those modules reads all of their
 * exports, one of which loads Node's fetch client and costs 35 ms at every start.
 */
export const {
  Agent: HttpAgent,
  createServer,
  request: requestHttp,
  STATUS_CODES,
} = process.getBuiltinModule('node:http');
export const { Agent: HttpsAgent, request: requestHttps } = process.getBuiltinModule('node:https');
