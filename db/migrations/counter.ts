/**
 * Statements that create triggers which count the rows of a table in columns of the rows they belong to, each column
 * those that meet its condition. Lists show totals, and counting 100,000 rows for each page would be slow. The
 * triggers run in the transaction of the change, cascades included, and once per statement, so that a change of
 * thousands of rows updates the counts once.
 */
export function counter(
  table: string,
  owner: { table: string; key: string },
  counts: Record<string, string>,
): string[] {
  const sums = Object.entries(counts).map(
    ([column, condition]) => `sum(case when ${condition} then sign else 0 end) as ${column}`,
  )
  const sets = Object.keys(counts).map(column => `${column} = o.${column} + c.${column}`)
  const name = `count_${table}_of_${owner.table}`
  const apply = (rows: string) => `
    update ${owner.table} o set ${sets.join(', ')}
    from (select ${owner.key} as id, ${sums.join(', ')} from (${rows}) r group by ${owner.key}) c
    where o.id = c.id and (${Object.keys(counts)
      .map(column => `c.${column} <> 0`)
      .join(' or ')});`
  const define = (event: string, rows: string, references: string) => [
    `create function ${name}_${event}() returns trigger language plpgsql as $$ begin ${apply(rows)} return null; end $$`,
    `create trigger ${name}_${event} after ${event} on ${table} referencing ${references}
       for each statement execute function ${name}_${event}()`,
  ]
  return [
    ...define('insert', 'select *, 1 as sign from added', 'new table as added'),
    ...define('delete', 'select *, -1 as sign from gone', 'old table as gone'),
    ...define(
      'update',
      'select *, 1 as sign from added union all select *, -1 as sign from gone',
      'old table as gone new table as added',
    ),
  ]
}
