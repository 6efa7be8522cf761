import { spawn } from 'node:child_process'
import { once } from 'node:events'

export const commits = 25_000
export const files = 7_000
const perDirectory = 70

/** Path of a file of 10 KB. */
export const tenKb = 'src/ten.ts'

/** Returns the path of a directory with 70 files; there are 100. */
export const directoryOf = (index: number): string => `packages/part-${index}`

/** Fills a bare repository with 25,000 commits of 7,000 files. */
export async function fillRepository(repository: string): Promise<void> {
  const child = spawn('git', ['-c', 'safe.directory=*', 'fast-import', '--quiet', '--force'], {
    cwd: repository,
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  const closed = once(child, 'close')
  const write = async (text: string): Promise<void> => {
    if (!child.stdin.write(text)) await once(child.stdin, 'drain')
  }
  await write('reset refs/heads/main\n\n')
  for (let index = 0; index < commits; index++) {
    const person = `Bob <bob@example.test> ${1_700_000_000 + 600 * index} +0000`
    await write(`commit refs/heads/main\nauthor ${person}\ncommitter ${person}\n`)
    await write(data(`Change number ${index}\n\nBecause it was time for it.\n`))
    if (index === 0) for (let file = 0; file < files; file++) await write(changed(file, 0))
    else await write(changed((index * 7919) % files, index))
    if (index === 0) await write(`M 100644 inline ${tenKb}\n${data(source)}`)
  }
  child.stdin.end()
  const [code] = await closed
  if (code !== 0) throw new Error('git fast-import failed')
}

const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`

const changed = (file: number, version: number): string =>
  `M 100644 inline ${directoryOf(Math.floor(file / perDirectory))}/file-${file % perDirectory}.ts\n` +
  data(`export const version = ${version}\nexport const file = ${file}\n`)

const source = Array.from({ length: 250 }, (_, index) => `export const value${index} = compute(${index})`)
  .join('\n')
  .padEnd(10_240, '/')
