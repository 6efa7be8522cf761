/** Says how much was copied: "340 rows in 12 tables". */
export function summarise(rowCounts: Record<string, number>): string {
  const counts = Object.values(rowCounts)
  const rows = counts.reduce((sum, count) => sum + count, 0)
  const tables = counts.filter(count => count > 0).length
  return `${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'} in ${tables} ${tables === 1 ? 'table' : 'tables'}`
}
