import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FakeReply } from '#test/fakes/model-reply.ts';
import { temporaryDir } from './database.ts';
import { type EngineApp, startEngineApp } from './engine-app.ts';

/** A plugin with tools that move money, and a slow one beside them. Every begin leaves a line in the journal. */
const plugin = (journal: string, gate: string): string => `
import { appendFileSync, existsSync } from 'node:fs';
const note = (line) => appendFileSync(${JSON.stringify(journal)}, line + '\\n');
export default {
  name: 'broker',
  setup: ({ registerTool, defineTool, z, on }) => {
    registerTool(defineTool({
      name: 'buy_stock', description: 'Buys a stock', group: 'finance', isTransactional: true,
      input: z.object({ symbol: z.string() }),
      describe: ({ symbol }) => 'Buy ' + symbol,
      run: async ({ symbol }) => {
        note(symbol);
        if (symbol === 'SLOW') await new Promise(() => {});
        return { content: 'bought ' + symbol, isError: false };
      },
    }));
    registerTool(defineTool({
      name: 'transfer', description: 'Sends money', group: 'finance', isTransactional: true,
      input: z.object({ memo: z.string(), amount: z.number(), fee: z.number().default(99) }),
      run: async ({ amount }) => {
        note('transfer ' + amount);
        return { content: 'sent', isError: false };
      },
    }));
    registerTool(defineTool({
      name: 'slow_look', description: 'Looks for a while', group: 'finance',
      input: z.object({}),
      run: async (_input, _context, signal) => {
        note('slow');
        while (!existsSync(${JSON.stringify(gate)}) && !signal.aborted) await new Promise((done) => setTimeout(done, 5));
        return { content: 'looked', isError: false };
      },
    }));
    const seen = new Set();
    on('beforeMessageProcess', ({ body }) => {
      if (!body.startsWith('Once:')) return undefined;
      if (seen.has(body)) return { skip: true, skipReply: 'You said that before.' };
      seen.add(body);
      return undefined;
    });
  },
};
`;

type Options = Omit<NonNullable<Parameters<typeof startEngineApp>[0]>, 'dataDir'>;

export interface Broker {
  readonly app: EngineApp;
  /** What was begun, in order. */
  readonly journal: () => readonly string[];
  /** Lets the slow tool come to its end. */
  readonly open: () => void;
  /** Another process on the same data. */
  readonly restart: () => Promise<Broker>;
}

export const startBroker = async (options: Options = {}, dataDir = temporaryDir()): Promise<Broker> => {
  const journal = join(dataDir, 'journal.txt');
  const gate = join(dataDir, 'gate');
  writeFileSync(join(dataDir, 'broker.mjs'), plugin(journal, gate));
  const app = await startEngineApp({
    ...options,
    dataDir,
    config: { plugins: ['./broker.mjs'], ...options.config },
  });
  return {
    app,
    journal: () => (existsSync(journal) ? readFileSync(journal, 'utf8').split('\n').slice(0, -1) : []),
    open: () => writeFileSync(gate, ''),
    restart: async () => {
      await app.stop();
      return startBroker({ ...options, servers: { claude: app.claude, gpt: app.gpt } }, dataDir);
    },
  };
};

export const calls = (
  ...toolCalls: readonly { readonly name: string; readonly input: unknown }[]
): FakeReply => ({
  kind: 'answer',
  toolCalls,
});

export const buys = (...symbols: readonly string[]): FakeReply =>
  calls(...symbols.map((symbol) => ({ name: 'buy_stock', input: { symbol } })));

export const codeIn = (question: string | undefined): string =>
  /\/approve (\w{6})/.exec(question ?? '')?.[1] ?? '';
