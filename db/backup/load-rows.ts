import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { Database } from '../tables'
import type { ColumnShape, TableShape } from './catalog'
import { damaged, pageCharacters, pageRows, type Row, type TableLine } from './format'

/** Inserts the rows of one table from a backup, one page at a time. */
export class TableLoader {
  private page: Row[] = []
  private characters = 0
  private readonly columns: ColumnShape[]

  /** @throws {Error} if the columns in the backup differ from those of the table. */
  constructor(
    private readonly trx: Transaction<Database>,
    private readonly table: TableShape,
    line: TableLine,
  ) {
    this.columns = line.columns.map(name => {
      const column = table.columns.find(candidate => candidate.name === name)
      if (!column) throw damaged(`table ${table.name} has no column ${name}`)
      return column
    })
    if (new Set(line.columns).size !== table.columns.length) {
      throw damaged(`columns are missing from table ${table.name}`)
    }
  }

  async add(row: Row): Promise<void> {
    if (row.length !== this.columns.length)
      throw damaged(`a row in table ${this.table.name} has the wrong number of values`)
    this.page.push(row)
    for (const value of row) this.characters += value?.length ?? 0
    if (this.page.length >= pageRows || this.characters >= pageCharacters) await this.flush()
  }

  async flush(): Promise<void> {
    if (this.page.length === 0) return
    const values = this.columns.map((_, index) => sql`${this.page.map(row => row[index])}::text[]`)
    const aliases = this.columns.map((_, index) => sql.id(`c${index}`))
    try {
      await sql`
        insert into ${sql.id(this.table.name)} (${sql.join(this.columns.map(column => sql.id(column.name)))})
        overriding system value
        select ${sql.join(this.columns.map((column, index) => fromText(column, aliases[index]!)))}
        from unnest(${sql.join(values)}) as page (${sql.join(aliases)})`.execute(this.trx)
    } catch (error) {
      throw new Error(`cannot restore table ${this.table.name}: ${(error as Error).message}`, {
        cause: error,
      })
    }
    this.page = []
    this.characters = 0
  }
}

function fromText({ type }: ColumnShape, value: RawBuilder<unknown>): RawBuilder<unknown> {
  return type === 'bytea' ? sql`decode(${value}, 'base64')` : sql`${value}::${sql.raw(type)}`
}
