import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { asId, type DeliveryId } from '#src/kernel/ids.ts';
import { type OutboundMessage, replyTargetOf } from '#src/kernel/chat/message.ts';
import { createSentFiles, type SentFiles } from '#src/platform/storage/sent-files.ts';
import { type TestStorage, temporaryDir } from '#test/support/database.ts';
import { recordingLogger } from '#test/support/context.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { inboundMessage } from '#test/support/messages.ts';

const NOBODY_NEEDS: ReadonlySet<string> = new Set();

const withFile = (url: string): OutboundMessage => ({
  deliveryId: asId<DeliveryId>('1'),
  target: replyTargetOf(inboundMessage()),
  payload: { text: '', media: [{ kind: 'image', mimeType: 'image/png', name: 'a', url }] },
});

const urlIn = ({ payload }: OutboundMessage): string => payload.media?.[0]?.url ?? '';

/** The part of the contract about files that one process makes and another one sends. */
export const describeSentFilesContract = (name: string, open: () => Promise<TestStorage>): void => {
  /** Two processes, each with its own disk. */
  const setUp = async (maxCharts?: number) => {
    const { storage } = await open();
    const clock = new ManualClock();
    const recorded = recordingLogger();
    const reloads: (() => Promise<void>)[] = [];
    /** Who does not hear signals. */
    const away = new Set<number>();
    const dataDirs: string[] = [];
    const settings = {
      changed: async () => {
        for (const [place, reload] of reloads.entries()) if (!away.has(place)) await reload();
      },
      onChanged: (reload: () => Promise<void>) => void reloads.push(reload),
    };
    const start = (): SentFiles & { readonly here: (kind: string) => readonly string[] } => {
      const dataDir = temporaryDir();
      dataDirs.push(dataDir);
      return {
        ...createSentFiles({
          dataDir,
          clock,
          shared: { storage, settings, logger: recorded.logger },
          ...(maxCharts === undefined ? {} : { maxCharts }),
        }),
        here: (kind) => {
          try {
            return readdirSync(join(dataDir, kind)).toSorted();
          } catch {
            return [];
          }
        },
      };
    };
    const { records } = recorded;
    return { storage, clock, records, away, dataDirs, one: start(), other: start() };
  };

  describe(`sent files on ${name}`, () => {
    it('are sent by a process that did not make them, byte for byte', async () => {
      const { one, other } = await setUp();
      const png = Uint8Array.from({ length: 70_000 }, (_, index) => index % 256);
      const chart = await one.save('charts', 'a.png', png);
      const exported = await one.save('exports', 'mine.md', ['삼성전자', '\n', 'AAPL']);
      const brought = urlIn(await other.bring(withFile(chart)));
      expect(brought).not.toBe(chart);
      expect(Buffer.compare(readFileSync(fileURLToPath(brought)), png)).toBe(0);
      const text = urlIn(await other.bring(withFile(exported)));
      expect(readFileSync(fileURLToPath(text), 'utf8')).toBe('삼성전자\nAAPL');
      // The one that made it reads its own.
      expect(urlIn(await one.bring(withFile(chart)))).toBe(chart);
    });

    it('leave the address of what is no file of ours, and an answer without its file if that is nowhere', async () => {
      const { other } = await setUp();
      for (const url of ['https://example.com/charts/a.png', 'file:///etc/passwd', 'data:,x'])
        expect(urlIn(await other.bring(withFile(url)))).toBe(url);
      const gone = urlIn(await other.bring(withFile('file:///gone/charts/a.png')));
      expect([gone, existsSync(fileURLToPath(gone))]).toEqual([other.urlOf('charts', 'a.png'), false]);
    });

    it('do not cost the answer if they cannot be copied', async () => {
      const { one, other, dataDirs, records } = await setUp();
      const chart = await one.save('charts', 'a.png', 'x');
      writeFileSync(join(dataDirs[1] ?? '', 'charts'), 'a file in the way');
      expect(urlIn(await other.bring(withFile(chart)))).toBe(other.urlOf('charts', 'a.png'));
      expect(records()).toMatchObject([{ level: 'warn', kind: 'charts' }]);
    });

    it('are the newest export, whichever process made it', async () => {
      const { one, other } = await setUp();
      const read = async (files: SentFiles): Promise<string> =>
        readFileSync(fileURLToPath(urlIn(await files.bring(withFile(url)))), 'utf8');
      const url = await one.save('exports', 'mine.md', 'morning');
      expect(await read(other)).toBe('morning');
      await one.save('exports', 'mine.md', 'noon');
      expect(await read(other)).toBe('noon');
      await other.save('exports', 'mine.md', 'evening');
      expect(await read(one)).toBe('evening');
    });

    it('are gone from a process that was away when they were removed, with its next purge', async () => {
      const { one, other, away } = await setUp();
      const mine = await one.save('exports', 'mine.md', 'x');
      await other.bring(withFile(mine));
      away.add(1);
      await one.remove([mine]);
      expect(other.here('exports')).toEqual(['mine.md']);
      // A second attempt tells the others again, though the rows are gone.
      away.clear();
      await one.remove([mine]);
      expect(other.here('exports')).toEqual([]);
      const again = await one.save('exports', 'mine.md', 'x');
      await other.bring(withFile(again));
      away.add(1);
      await one.remove([again]);
      await other.purge('exports', Temporal.Instant.fromEpochMilliseconds(0), NOBODY_NEEDS);
      expect(other.here('exports')).toEqual([]);
    });

    it('are gone everywhere when one process removes them; the others stay', async () => {
      const { storage, one, other } = await setUp();
      const mine = await one.save('exports', 'mine.md', 'x');
      const yours = await one.save('exports', 'yours.md', 'y');
      for (const url of [mine, yours]) await other.bring(withFile(url));
      expect(other.here('exports')).toEqual(['mine.md', 'yours.md']);
      expect(await other.remove([mine])).toBe(1);
      expect([one.here('exports'), other.here('exports')]).toEqual([['yours.md'], ['yours.md']]);
      const rows = await storage.db.selectFrom('sent_files').select('name').execute();
      expect(rows).toEqual([{ name: 'yours.md' }]);
      expect(await other.remove([mine])).toBe(0);
    });

    it('are removed when they are too old, unless they are still to be sent, wherever they were made', async () => {
      const { storage, clock, one, other } = await setUp();
      await one.save('charts', 'old.png', 'x');
      const waiting = await one.save('charts', 'waiting.png', 'x');
      await other.bring(withFile(waiting));
      await clock.advance(3_600_000);
      await one.save('charts', 'young.png', 'x');
      const limit = clock.now().subtract({ minutes: 30 });
      for (const files of [one, other])
        for (const chart of files.here('charts').filter((each) => each !== 'young.png'))
          utimesSync(fileURLToPath(files.urlOf('charts', chart)), 1_000, 1_000);
      expect(await other.purge('charts', limit, new Set([waiting]))).toBe(0);
      expect(await one.purge('charts', limit, new Set([waiting]))).toBe(1);
      const names = async () =>
        (await storage.db.selectFrom('sent_files').select('name').orderBy('name').execute()).map(
          (row) => row.name,
        );
      expect(await names()).toEqual(['waiting.png', 'young.png']);
      expect(await other.purge('charts', limit, NOBODY_NEEDS)).toBe(1);
      expect(await names()).toEqual(['young.png']);
    });

    it('keep only the newest pictures when there are too many', async () => {
      const { storage, one } = await setUp(3);
      for (let picture = 1; picture <= 9; picture += 1)
        await one.save('charts', `${picture}.png`, new Uint8Array([picture]));
      expect(one.here('charts')).toEqual(['7.png', '8.png', '9.png']);
      const rows = await storage.db.selectFrom('sent_files').select('name').orderBy('name').execute();
      expect(rows.map((row) => row.name)).toEqual(['7.png', '8.png', '9.png']);
    });
  });
};
