import type { Pack, PackedEntry } from '@/testing/pack'
import { oneOf, type Random } from '@/testing/random'
import { hostileFile } from './contents'
import { hostileNames } from './names'

/** A tree, and some of the paths in it. */
export interface HostileTree {
  id: string
  paths: Buffer[]
}

type Make = (pack: Pack, random: Random) => HostileTree

const modes = ['100644', '100755', '120000', '40000', '160000', '100664', '0', '777777', '140000']
const absent = 'd'.repeat(40)
const times = (random: Random, most: number): number => 1 + Math.floor(random() * most)
const array = <T>(length: number, make: (index: number) => T): T[] =>
  Array.from({ length }, (_, at) => make(at))

/** The kinds of trees. Each one is hard in another way. */
export const kinds: Record<string, Make> = {
  names: (pack, random) => {
    const build = (depth: number): { id: string; paths: Buffer[] } => {
      const paths: Buffer[] = []
      const entries = array(times(random, 12), (): PackedEntry => {
        const name = oneOf(random, hostileNames)
        if (depth > 0 && random() < 0.4) {
          const below = build(depth - 1)
          paths.push(name, ...below.paths.map(path => Buffer.concat([name, Buffer.from('/'), path])))
          return { mode: '40000', name, id: below.id }
        }
        paths.push(name)
        const mode = random() < 0.8 ? '100644' : oneOf(random, modes)
        return { mode, name, id: pack.add('blob', `in ${name.toString('hex')}\n`) }
      })
      return { id: pack.tree(entries), paths }
    }
    return build(3)
  },
  wide: (pack, random) => {
    const count = oneOf(random, [1_001, 5_001, 10_000])
    const ids = array(20, at => pack.add('blob', `file ${at}\n`))
    const longest = oneOf(random, [6, 200])
    const names = array(count, at => Buffer.from(String(at).padStart(longest, 'w')))
    const entries = names.map((name, at) => ({ mode: '100644', name, id: ids[at % 20]! }))
    return { id: pack.tree(entries), paths: names.slice(0, 3) }
  },
  deep: (pack, random) => {
    const name = Buffer.from(oneOf(random, ['d', 'deep directory', 'é'.repeat(50)]))
    let id = pack.tree([{ mode: '100644', name: Buffer.from('end'), id: pack.add('blob', 'end\n') }])
    for (let level = 0; level < 1000; level++) id = pack.tree([{ mode: '40000', name, id }])
    const path = (depth: number): Buffer => Buffer.from(array(depth, () => name).join('/'))
    return { id, paths: [1, 10, 19, 40].map(path) }
  },
  links: (pack, random) => {
    const targets = [
      '.',
      'a',
      'b',
      './b/../a',
      '/',
      '/etc/passwd',
      '../'.repeat(500),
      '\n',
      '',
      'a\0b',
      'x'.repeat(5000),
    ]
    const names = ['a', 'b', 'c', 'README.md', 'LICENSE', '.gitattributes', '.gitmodules', '.mailmap']
    const entries = names.map(name => ({
      mode: '120000',
      name: Buffer.from(name),
      id: pack.add('blob', oneOf(random, targets)),
    }))
    return { id: pack.tree(entries), paths: [...names, 'a/b', 'a/a/a/a'].map(name => Buffer.from(name)) }
  },
  files: (pack, random) => {
    const files = array(times(random, 5), () => hostileFile(random))
    const entries = files.map(({ name, content }) => ({
      mode: '100644',
      name: Buffer.from(name),
      id: pack.add('blob', content),
    }))
    return { id: pack.tree(entries), paths: entries.map(({ name }) => name) }
  },
  submodules: (pack, random) => {
    const urls = [
      'javascript:alert(1)',
      'data:text/html,<script>alert(1)</script>',
      '-u./owned',
      'ext::sh -c owned',
      '\n',
      '../../../..',
      `https://a@b:c@${'x'.repeat(5000)}`,
    ]
    const lines = array(
      oneOf(random, [3, 20_000]),
      at => `[submodule "s${at}"]\n\tpath = s${at}\n\turl = ${oneOf(random, urls)}\n\tupdate = !owned\n`,
    )
    const commits = array(3, at => ({ mode: '160000', name: Buffer.from(`s${at}`), id: absent }))
    const file = { mode: oneOf(random, ['100644', '120000', '40000']), name: Buffer.from('.gitmodules') }
    const entries = [{ ...file, id: pack.add('blob', lines.join('')) }, ...commits]
    return { id: pack.tree(entries), paths: entries.map(({ name }) => name) }
  },
  missing: (pack, random) => {
    const blob = pack.add('blob', 'present\n')
    const entries = ['a', 'b', 'c', 'd', 'README.md'].map(name => ({
      mode: oneOf(random, modes),
      name: Buffer.from(name),
      id: oneOf(random, [absent, blob, pack.tree([]), '0'.repeat(40)]),
    }))
    const paths = [...entries.map(({ name }) => name), Buffer.from('a/b')]
    return { id: random() < 0.1 ? absent : pack.tree(entries), paths }
  },
  damaged: (pack, random) => {
    const whole = Buffer.concat(array(20, at => Buffer.from(`100644 file ${at}\0${'i'.repeat(20)}`)))
    const cut = whole.subarray(0, Math.floor(random() * whole.length))
    const bytes = Buffer.from(random() < 0.5 ? cut : whole)
    if (bytes.length > 0) bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256)
    return { id: pack.add('tree', bytes), paths: [Buffer.from('file 1')] }
  },
  // Each level has the next one ten times, so the tree has a billion files.
  bomb: pack => {
    const entries = (mode: string, id: string): PackedEntry[] =>
      array(10, at => ({ mode, name: Buffer.from(`${at}`), id }))
    let id = pack.tree(entries('100644', pack.add('blob', 'small\n')))
    for (let level = 0; level < 8; level++) id = pack.tree(entries('40000', id))
    return { id, paths: ['1', '1/2/3', '1/2/3/4/5/6/7/8/9'].map(path => Buffer.from(path)) }
  },
}
