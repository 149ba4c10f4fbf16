import { Client } from 'pg';

const withClient = async <Result>(
  databaseUrl: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> => {
  const client = new Client({ connectionString: databaseUrl, application_name: 'observer' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

/** Ends connections to the database: all of them, or those over which processes hear from each other. */
export const cutConnections = (databaseUrl: string, which: 'all' | 'links'): Promise<void> =>
  withClient(databaseUrl, async (client) => {
    const names = which === 'all' ? `<> 'observer'` : `= 'finclaw link'`;
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name ${names} and pid <> pg_backend_pid()`,
    );
  });

export const countPending = (databaseUrl: string): Promise<number> =>
  withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ readonly count: string }>(
      `select count(*) as count from inbox where status = 'pending'`,
    );
    return Number(rows[0]?.count);
  });

/** What the inbox says about the question with this tag. */
export const fateOf = (databaseUrl: string, tag: string): Promise<string> =>
  withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ readonly status: string; readonly attempts: number }>(
      `select status, attempts from inbox where position($1 in message) > 0`,
      [tag],
    );
    const fates = rows.map(({ status, attempts }) => `${status} after ${attempts} attempts`);
    return fates.length > 0 ? fates.join(', ') : 'never received';
  });
