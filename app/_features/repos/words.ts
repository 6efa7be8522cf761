/** "1 branch", "2,000 branches". */
export function counted(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`
}

const units = ['KiB', 'MiB', 'GiB', 'TiB']

/** A size given in KiB, with at most one digit after the point. */
export function sizeWords(kib: number): string {
  const step = Math.min(Math.floor(Math.log2(Math.max(kib, 1)) / 10), units.length - 1)
  const amount = kib / 1024 ** step
  return `${amount.toLocaleString('en-US', { maximumFractionDigits: 1 })} ${units[step]}`
}
