import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { deflateSync } from 'node:zlib'

/** An entry of a tree as it is written, whatever Git thinks of its mode and name. */
export interface PackedEntry {
  mode: string
  name: Buffer
  id: string
}

const types = { commit: 1, tree: 2, blob: 3, tag: 4 }

/** Writes Git objects of any content, without the checks with which Git refuses malformed ones. */
export class Pack {
  readonly #parts = new Map<string, Buffer>()

  /** Adds an object and returns its ID. */
  add(type: keyof typeof types, content: Buffer | string): string {
    const bytes = Buffer.from(content)
    const id = createHash('sha1').update(`${type} ${bytes.length}\0`).update(bytes).digest('hex')
    if (!this.#parts.has(id)) {
      const packed = deflateSync(bytes, { level: 1 })
      this.#parts.set(id, Buffer.concat([headerOf(types[type], bytes.length), packed]))
    }
    return id
  }

  tree(entries: readonly PackedEntry[]): string {
    return this.add(
      'tree',
      Buffer.concat(
        entries.flatMap(({ mode, name, id }) => [
          Buffer.from(`${mode} `),
          name,
          Buffer.of(0),
          Buffer.from(id, 'hex'),
        ]),
      ),
    )
  }

  /** Adds all objects to a bare repository. */
  async writeTo(repository: string): Promise<void> {
    const header = Buffer.alloc(12)
    header.write('PACK')
    header.writeUInt32BE(2, 4)
    header.writeUInt32BE(this.#parts.size, 8)
    const content = Buffer.concat([header, ...this.#parts.values()])
    const child = spawn('git', ['-c', 'safe.directory=*', 'index-pack', '--stdin'], {
      cwd: repository,
      stdio: ['pipe', 'ignore', 'inherit'],
    })
    child.stdin.end(Buffer.concat([content, createHash('sha1').update(content).digest()]))
    const [code] = await once(child, 'close')
    if (code !== 0) throw new Error('Git refused the pack')
  }
}

// Sizes are written with four bits in the first byte and seven in each of the others.
function headerOf(type: number, size: number): Buffer {
  const bytes = [(type << 4) | (size & 15)]
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1]! |= 0x80
    bytes.push(rest & 127)
  }
  return Buffer.from(bytes)
}
