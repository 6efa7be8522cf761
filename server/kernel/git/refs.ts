import { readGit, runGit } from './run'

/** A ref by its full name, with the id of the object it names. */
export interface Ref {
  ref: string
  id: string
}

const format = '--format=%(objectname) %(refname)'

/** Hands over every ref below a prefix such as `refs/heads/`, in the order of their names; none is kept. */
export async function eachRef(repository: string, prefix: string, take: (ref: Ref) => void): Promise<void> {
  let rest: Buffer = Buffer.alloc(0)
  await readGit(['for-each-ref', format, '--', prefix], { repository }, chunk => {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    const end = bytes.lastIndexOf(10)
    rest = bytes.subarray(end + 1)
    if (end < 0) return
    for (const line of bytes.toString('utf8', 0, end).split('\n')) take(parseLine(line))
  })
}

/** The ref of exactly this name. */
export async function oneRef(repository: string, ref: string): Promise<Ref | undefined> {
  // Git gives all below a directory of this name too. Where the ref itself is there, that is the first and only one.
  const line = await runGit(['for-each-ref', '--count=1', format, '--', ref], { repository })
  const found = parseLine(line.replace(/\n$/, ''))
  return found.ref === ref ? found : undefined
}

function parseLine(line: string): Ref {
  const gap = line.indexOf(' ')
  return { id: line.slice(0, gap), ref: line.slice(gap + 1) }
}
