import { sql, type Transaction } from 'kysely'
import type { Database } from '../tables'

/** Makes values read the same as text on every server, and lets this transaction take its time. */
export async function prepareSession(trx: Transaction<Database>): Promise<void> {
  await sql`
    select set_config(name, value, true)
    from (values
      ('datestyle', 'ISO, YMD'), ('timezone', 'UTC'), ('intervalstyle', 'postgres'), ('bytea_output', 'hex'),
      ('extra_float_digits', '1'), ('statement_timeout', '0'), ('lock_timeout', '10s')) as setting (name, value)
  `.execute(trx)
}
