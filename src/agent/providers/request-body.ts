import type { ToolDefinition } from '#src/kernel/tool.ts';

interface BodyOptions {
  readonly body: Uint8Array;
  readonly headers: { readonly 'content-type': 'application/json' };
}

/**
 * Writes requests as JSON, as options of an SDK. The list of tools is the largest part of most requests and the same in
 * all of them, so it is written once.
 */
export const createBodyWriter = (): ((
  request: { readonly tools?: unknown },
  list: readonly ToolDefinition[],
) => BodyOptions) => {
  const written = new WeakMap<readonly ToolDefinition[], Buffer>();
  return ({ tools, ...rest }, list) => {
    const others = JSON.stringify(rest);
    const headers = { 'content-type': 'application/json' } as const;
    if (tools === undefined) return { body: Buffer.from(others), headers };
    const toolBytes = written.getOrInsertComputed(list, () =>
      Buffer.from(`{"tools":${JSON.stringify(tools)},`),
    );
    return { body: Buffer.concat([toolBytes, Buffer.from(others.slice(1))]), headers };
  };
};
