import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { PlatformName } from './floor/load.ts';
import { FINCLAW, freePort, openBot, openModel, openPlatform } from './floor/processes.ts';
import { QUESTION } from './floor/setting.ts';

/** After so many, all code is loaded and the thread is known. */
const FIRST_QUESTIONS = 5;
const PLATFORMS: readonly PlatformName[] = ['slack', 'discord'];
const OURS = /\/(?:src|channels|commands)\/.*\.ts$/u;

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly count: number; readonly startOffset: number }[];
    }[];
  }[];
}

/** Asks V8 in the bot's process. */
const openInspector = async (port: number) => {
  const [{ webSocketDebuggerUrl: url = '' } = {}] = (await (
    await fetch(`http://127.0.0.1:${port}/json/list`)
  ).json()) as readonly { readonly webSocketDebuggerUrl?: string }[];
  const socket = new WebSocket(url);
  await once(socket, 'open');
  let calls = 0;
  const call = async (method: string, params: object = {}): Promise<unknown> => {
    calls += 1;
    const id = calls;
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const hear = ({ data }: MessageEvent): void => {
      const answer = JSON.parse(String(data)) as { readonly id?: number; readonly result?: unknown };
      if (answer.id !== id) return;
      socket.removeEventListener('message', hear);
      resolve(answer.result);
    };
    socket.addEventListener('message', hear);
    socket.send(JSON.stringify({ id, method, params }));
    return promise;
  };
  return { call, [Symbol.dispose]: () => socket.close() };
};

/** How many files and functions of the program one plain mention runs, as V8 counts them; timers that fire meanwhile count too. */
export const benchPath = async (root = FINCLAW.root, only: readonly string[] = PLATFORMS): Promise<void> => {
  const model = await openModel();
  using _model = { [Symbol.dispose]: model.close };
  for (const name of PLATFORMS.filter((each) => only.includes(each))) {
    await using opened = new AsyncDisposableStack();
    const platform = await openPlatform({ platform: name, places: 1, callDelayMs: 0 });
    opened.defer(platform.close);
    const port = await freePort();
    const bot = await openBot({ ...FINCLAW, root }, platform, model, {
      nodeFlags: [`--inspect=127.0.0.1:${port}`],
    });
    opened.defer(bot.stop);
    const ask = (questions: number) => platform.load({ questions, text: QUESTION, atOnce: 1 });
    await ask(FIRST_QUESTIONS);
    using inspector = await openInspector(port);
    await inspector.call('Profiler.enable');
    await inspector.call('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await ask(1);
    const { result } = (await inspector.call('Profiler.takePreciseCoverage')) as Coverage;
    const files = result.flatMap(({ url, functions }) => {
      if (!url.startsWith('file://') || !OURS.test(fileURLToPath(url).slice(root.length))) return [];
      const run = functions.filter(
        ({ ranges: [range] }) => range && range.count > 0 && range.startOffset > 0,
      );
      return run.length > 0 ? [run.length] : [];
    });
    const functions = files.reduce((sum, count) => sum + count, 0);
    console.log(`${name}: a mention in a known thread runs ${functions} functions in ${files.length} files`);
  }
};
