import { FinClawError } from '#src/kernel/errors.ts';
import type { HookHandler, HookName, HookPayloads } from '#src/kernel/operations/plugin.ts';
import { withTimeLimit } from '../concurrency/abort.ts';
import type { Clock } from '../concurrency/clock.ts';
import type { FinClawLogger } from '../logging/logger.ts';

export interface HookOptions {
  /** The plugin's name, which is logged when the hook fails. */
  readonly plugin: string;
  /** Higher priorities run first, equal ones in the order of registration. Default 0. */
  readonly priority?: number | undefined;
}

interface HookRunner<Payload, Result> {
  readonly on: (handler: HookHandler<Payload>, options: HookOptions) => void;
  /** Resolves when all handlers have ended or used up their time. Never rejects. */
  readonly fire: (payload: Payload) => Promise<Result>;
}

/** Runs all handlers at once and ignores what they return. */
export type VoidHookRunner<Payload> = HookRunner<Payload, void>;

/** Runs one handler after the other; each sees the changes of those before it. Gives the same object without any change. */
export type ModifyingHookRunner<Payload> = HookRunner<Payload, Payload>;

interface Runners<Payload> {
  readonly void: VoidHookRunner<Payload>;
  readonly modifying: ModifyingHookRunner<Payload>;
}

const HANDLER_LIMIT_MS = 5_000;

const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  isPlainObject(value) && typeof value['then'] === 'function';

/** A field that a handler left undefined keeps its value. */
const merged = <Payload extends object>(payload: Payload, change: object): Payload => {
  const fields = Object.entries(change).filter(([, value]) => value !== undefined);
  return fields.length === 0 ? payload : { ...payload, ...Object.fromEntries(fields) };
};

interface Hook<Payload> {
  readonly handler: HookHandler<Payload>;
  readonly plugin: string;
  readonly priority: number;
}

/** A hook that throws, hangs or returns nonsense is logged with its plugin and skipped. */
export const createHookRunner = <Payload extends object, Mode extends keyof Runners<Payload>>(
  name: string,
  mode: Mode,
  { logger, clock }: { readonly logger: FinClawLogger; readonly clock: Clock },
): Runners<Payload>[Mode] => {
  let hooks: readonly Hook<Payload>[] = [];

  const skip = ({ plugin }: Hook<Payload>, error: unknown): void =>
    logger.error(`A hook of the plugin ${plugin} failed and was skipped`, { hook: name, plugin, error });

  const changeOf = (hook: Hook<Payload>, answer: unknown): object => {
    if (answer === undefined || answer === null) return {};
    if (isPlainObject(answer)) return answer;
    skip(
      hook,
      new FinClawError(`It returned ${typeof answer} instead of the fields to change`, 'HOOK_ANSWER'),
    );
    return {};
  };

  const answerOf = async (hook: Hook<Payload>, payload: Payload): Promise<unknown> => {
    try {
      const answer: unknown = hook.handler(payload);
      if (!isThenable(answer)) return answer;
      return await withTimeLimit(Promise.resolve(answer), HANDLER_LIMIT_MS, clock);
    } catch (error) {
      skip(hook, error);
      return undefined;
    }
  };

  const fireAll = async (payload: Payload): Promise<void> => {
    await Promise.all(hooks.map((hook) => answerOf(hook, payload)));
  };

  const fireInTurn = async (payload: Payload): Promise<Payload> => {
    let current = payload;
    for (const hook of hooks) current = merged(current, changeOf(hook, await answerOf(hook, current)));
    return current;
  };

  const on = (handler: HookHandler<Payload>, { plugin, priority = 0 }: HookOptions): void => {
    hooks = [...hooks, { handler, plugin, priority }].toSorted((a, b) => b.priority - a.priority);
  };

  const runners: Runners<Payload> = {
    void: { on, fire: fireAll },
    modifying: { on, fire: fireInTurn },
  };
  return runners[mode];
};

type VoidHook = 'afterMessageProcess' | 'afterAgentRun';

/** Every point at which a plugin may observe or change what happens. */
export type Hooks = {
  readonly [Name in HookName]: Name extends VoidHook
    ? VoidHookRunner<HookPayloads[Name]>
    : ModifyingHookRunner<HookPayloads[Name]>;
};

export const createHooks = (logger: FinClawLogger, clock: Clock): Hooks => {
  const deps = { logger, clock };
  const modifying = <Name extends HookName>(name: Name) =>
    createHookRunner<HookPayloads[Name], 'modifying'>(name, 'modifying', deps);
  const observing = <Name extends VoidHook>(name: Name) =>
    createHookRunner<HookPayloads[Name], 'void'>(name, 'void', deps);
  return {
    beforeMessageProcess: modifying('beforeMessageProcess'),
    afterMessageProcess: observing('afterMessageProcess'),
    beforeAgentRun: modifying('beforeAgentRun'),
    afterAgentRun: observing('afterAgentRun'),
    beforeToolExecute: modifying('beforeToolExecute'),
    afterToolExecute: modifying('afterToolExecute'),
  };
};
