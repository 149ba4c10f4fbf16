import type { Json } from './api.ts';

/** A call that Slack refuses: `ok` is false, with this code. */
export class SlackRefusal extends Error {
  readonly code: string;
  readonly fields: Json;

  constructor(code: string, fields: Json = {}) {
    super(code);
    this.code = code;
    this.fields = fields;
  }
}

/** As Slack explains what is wrong with blocks and arguments. */
export const refusalWithReasons = (code: string, ...reasons: readonly string[]): SlackRefusal =>
  new SlackRefusal(code, {
    errors: reasons,
    response_metadata: { messages: reasons.map((reason) => `[ERROR] ${reason}`) },
  });

/** The test wants the connection dead here. */
export class ConnectionDropped extends Error {}
