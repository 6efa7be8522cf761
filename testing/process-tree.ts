import { readFile } from 'node:fs/promises'

const read = (path: string): Promise<string> => readFile(`/proc/${path}`, 'utf8').catch(() => '')

/** Returns the IDs of a process and of all processes that it has started. */
export async function descendants(pid: number): Promise<number[]> {
  const children = await childrenOf(pid)
  return [pid, ...(await Promise.all(children.map(descendants))).flat()]
}

/** Returns the IDs of the processes that a process has started. */
export async function childrenOf(pid: number): Promise<number[]> {
  return (await read(`${pid}/task/${pid}/children`)).split(' ').map(Number).filter(Boolean)
}

/** Returns the CPU time that a process and all that it has started have used, in seconds. */
export async function cpuSecondsOf(pid: number): Promise<number> {
  const all = (await descendants(pid)).map(async one => {
    const stat = await read(`${one}/stat`)
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // The kernel reports hundredths of a second.
    return (Number(fields[11]) + Number(fields[12])) / 100
  })
  return (await Promise.all(all)).reduce((sum, one) => sum + one, 0)
}

/** Describes the memory of a process and, in brackets, of each process below it. */
export async function memoryOf(pid: number): Promise<string> {
  const sizes: number[] = []
  for (const one of await descendants(pid)) {
    const [, kib = 0] = /^Pss:\s+(\d+)/m.exec(await read(`${one}/smaps_rollup`)) ?? []
    sizes.push(Math.round(Number(kib) / 1024))
  }
  return `${sizes.reduce((sum, size) => sum + size, 0)} MiB (${sizes.join(' + ')})`
}
