import { sql, type Transaction } from 'kysely'
import type { Database } from '../tables'

/**
 * Sets the transaction's formats so that every server converts values to the same text, and disables its
 * statement timeout.
 */
export async function prepareSession(trx: Transaction<Database>): Promise<void> {
  await sql`
    select set_config(name, value, true)
    from (values
      ('datestyle', 'ISO, YMD'), ('timezone', 'UTC'), ('intervalstyle', 'postgres'), ('bytea_output', 'hex'),
      ('extra_float_digits', '1'), ('statement_timeout', '0'), ('lock_timeout', '10s')) as setting (name, value)
  `.execute(trx)
}
