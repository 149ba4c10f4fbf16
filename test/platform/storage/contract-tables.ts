import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { countLines } from '#src/kernel/people/texts/privacy.ts';
import type { PersonRef } from '#src/kernel/ids.ts';
import { notify } from '#src/chat/store/notifications.ts';
import { createAccountData } from '#src/people/account-data.ts';
import type { OpenedStorage } from '#src/platform/storage/database.ts';
import { createIdentities } from '#src/people/identities.ts';
import { createOwnerStore, ownOwnerId } from '#src/people/store/owners.ts';
import { createRetention } from '#src/platform/storage/retention.ts';
import { olderThanLimit, table, type TableDescriptor } from '#src/platform/storage/descriptor.ts';
import { recordingEvents, recordingLogger } from '#test/support/context.ts';
import type { TestStorage } from '#test/support/database.ts';
import { linkPeople } from '#test/support/link-people.ts';
import { ManualClock } from '#test/support/manual-clock.ts';
import { personOf } from '../../features/alerts/alerts-fixture.ts';
import { createTables, defineTable, text } from '#src/platform/storage/columns.ts';

/** Names that columns with people in them have: `owner_id`, `sender_id`, `asker_name`, `person_hash`, `updated_by`. */
const PERSON = /(?:^|_)(?:owner|user|sender|person|recipient|author|asker|member)(?:_|$)|_by$/;
/** Where nobody owns the rows, a conversation or an address may lead to a person too. */
const PLACE = /session|chat|target|contact/;

const ownerColumns = ({ owner }: TableDescriptor): readonly string[] => {
  if (owner.by === 'identity') return [owner.channel, owner.user];
  return 'column' in owner ? [owner.column] : [];
};

const namedColumns = (one: TableDescriptor): readonly string[] => [
  ...one.key,
  ...ownerColumns(one),
  ...(one.parent ? [one.parent.column] : []),
  ...Object.keys(one.mentions ?? {}),
  ...('order' in one.exported ? one.exported.order : []),
];

/** What the database has and the descriptors do not account for, or the other way round. */
const gapsIn = async ({ db }: Pick<OpenedStorage, 'db'>, tables: readonly TableDescriptor[]) => {
  const found = await db.introspection.getTables();
  const columnsOf = new Map(found.map(({ name, columns }) => [name, columns.map((column) => column.name)]));
  const descriptors = Map.groupBy(tables, ({ name }) => name);
  return [
    ...[...columnsOf.keys()].filter((name) => !descriptors.has(name)).map((name) => `${name}: no descriptor`),
    ...[...descriptors].filter(([, same]) => same.length > 1).map(([name]) => `${name}: two descriptors`),
    ...tables
      .filter((one) => (one.owner.by === 'parent' || one.kept === 'with its parent') && !one.parent)
      .map((one) => `${one.name}: no parent`),
    ...tables.flatMap((one) => {
      const columns = columnsOf.get(one.name) ?? [];
      const accounted = new Set([...ownerColumns(one), ...Object.keys(one.mentions ?? {})]);
      const names = (column: string): boolean =>
        PERSON.test(column) || (one.owner.by === 'nobody' && PLACE.test(column));
      return [
        ...namedColumns(one).filter((column) => !columns.includes(column)),
        ...columns.filter((column) => names(column) && !accounted.has(column)),
      ].map((column) => `${one.name}.${column}`);
    }),
  ].toSorted();
};

const notesForm = defineTable(
  'planted_notes',
  { id: text(), owner_id: text(), body: text(), written_at: text() },
  { key: ['id'] },
);

const notes = table(notesForm, {
  owner: { by: 'account', column: 'owner_id', link: 'move', unlink: 'stays' },
  counted: { as: 'notes' },
  labels: [
    {
      of: 'notes',
      en: { line: (count) => `Notes: ${count}`, amount: (count) => `${count} notes` },
      ko: { line: (count) => `메모: ${count}개`, amount: (count) => `메모 ${count}개` },
    },
  ],
  exported: { as: 'notes', order: ['id'], row: ({ body }) => ({ body }), rowsPerPage: 2 },
  erased: 'delete',
  kept: olderThanLimit('written_at'),
});

const pagesForm = defineTable(
  'planted_pages',
  { id: text(), note_id: text(), words: text() },
  { key: ['id'] },
);

const pages = table(pagesForm, {
  owner: { by: 'parent' },
  parent: { table: notes, column: 'note_id' },
  counted: { as: 'pages' },
  exported: { as: 'pages', order: ['id'], row: ({ words }) => words, rowsPerPage: 2 },
  erased: 'delete',
  kept: 'with its parent',
});

const plant = async ({ db }: Pick<OpenedStorage, 'db'>): Promise<void> => {
  onTestFinished(async () => {
    for (const name of ['planted_notes', 'planted_pages'])
      await db.schema.dropTable(name).ifExists().execute();
  });
  await createTables(db, [notes, pages]);
};

/** The part of the contract about the descriptors of tables. */
export const describeTablesContract = (name: string, open: () => Promise<TestStorage>): void => {
  describe(`the tables on ${name}`, () => {
    it('have one descriptor each, which accounts for every column that holds a person', async () => {
      const { storage } = await open();
      expect(await gapsIn(storage, storage.tables)).toEqual([]);
      // The check can fail: for a table without a descriptor, a column of a person and a column that is gone.
      await plant(storage);
      expect(await gapsIn(storage, storage.tables)).toEqual([
        'planted_notes: no descriptor',
        'planted_pages: no descriptor',
      ]);
      await sql`alter table planted_notes add column seen_by text`.execute(storage.db);
      await sql`alter table planted_pages drop column words`.execute(storage.db);
      const gone = { ...pages, key: ['words'] as never };
      expect(await gapsIn(storage, [...storage.tables, notes, gone])).toEqual([
        'planted_notes.seen_by',
        'planted_pages.words',
      ]);
    });

    it('are counted, shown, exported, moved, erased and purged by nothing but their descriptors', async () => {
      const { storage } = await open();
      await plant(storage);
      const { db } = storage;
      const planted = { ...storage, tables: [...storage.tables, notes, pages] };
      const clock = new ManualClock();
      const owners = createOwnerStore(planted, clock);
      const written: string[] = [];
      const shared = { storage: planted, clock, owners, notify, wake: () => undefined };
      const data = createAccountData({
        ...shared,
        retentionDays: 30,
        removeConversations: (_keys, _by, eraseRest) => eraseRest(0),
        removeSent: async () => 0,
        removeExport: async () => undefined,
        writeExport: async (_file, content) => `file:///${written.push([content].flat().join(''))}`,
      });
      const identities = createIdentities({ ...shared, audit: { record: async () => undefined } });
      const retention = createRetention({
        storage: planted,
        clock,
        days: 30,
        purgeFiles: async () => ({}),
        events: recordingEvents().events,
        logger: recordingLogger().logger,
      });
      const write = async (person: PersonRef, id: string, at = clock.now()): Promise<void> => {
        const values = [id, ownOwnerId(person), `body of ${id}`, at.toString()];
        await sql`insert into planted_notes values (${sql.join(values)})`.execute(db);
        const pageRows = [1, 2, 3].map((page) => sql`(${sql.join([`${id}-${page}`, id, `page ${page}`])})`);
        await sql`insert into planted_pages values ${sql.join(pageRows)}`.execute(db);
      };
      const left = async (from: string): Promise<readonly string[]> => {
        const { rows } = await sql<{ id: string }>`select id from ${sql.table(from)} order by id`.execute(db);
        return rows.map(({ id }) => id);
      };
      const [ann, annElsewhere, bob] = [
        personOf('slack', 'ann'),
        personOf('discord', '1'),
        personOf('slack', 'bob'),
      ];
      for (const id of ['a1', 'a2', 'a3']) await write(ann, id);
      await write(annElsewhere, 'e1');
      await write(bob, 'b1');
      await write(bob, 'b2', clock.now().subtract({ hours: 24 * 31 }));

      const counts = await data.counts(ann.channelId, ann.userId);
      expect(counts).toMatchObject({ notes: 3, pages: 9 });
      expect(countLines(data.labels, counts, 'ko')).toContain('메모: 3개');
      expect(identities.labels.map(({ of }) => of)).toContain('notes');

      expect(await linkPeople(owners, annElsewhere, ann)).toMatchObject({ status: 'linked' });
      expect(await data.counts(annElsewhere.channelId, annElsewhere.userId)).toMatchObject({ notes: 4 });

      await data.export(annElsewhere.channelId, annElsewhere.userId, 'en', 'UTC');
      const pagesOf = ['page 1', 'page 2', 'page 3'];
      expect(JSON.parse(written[0] ?? '')).toMatchObject({
        notes: ['a1', 'a2', 'a3', 'e1'].map((id) => ({ body: `body of ${id}`, pages: pagesOf })),
      });

      expect(await retention.purge()).toMatchObject({ planted_notes: 1, planted_pages: 3 });
      expect(await left('planted_notes')).toEqual(['a1', 'a2', 'a3', 'b1', 'e1']);

      expect(await data.erase(ann.channelId, ann.userId)).toMatchObject({ notes: 4, pages: 12 });
      expect(await left('planted_notes')).toEqual(['b1']);
      expect(await left('planted_pages')).toEqual(['b1-1', 'b1-2', 'b1-3']);
    });
  });
};
