import type { Pack } from '@/testing/pack'
import { oneOf, type Random } from '@/testing/random'

const people = [
  'Bob <bob@example.test>',
  '<script>alert(1)</script> <"><img src=x onerror=alert(1)>',
  '',
  '<>',
  'A < B > C <<x>>',
  `${'n'.repeat(100_000)} <${'e'.repeat(100_000)}>`,
  '\u202eBob\u0001 <b\u0000b>',
  'Bob <\'"; drop table users; -->',
]
const dates = [
  '1790000000 +0000',
  '0 +0000',
  '-1 -9999',
  '99999999999 +0000',
  '99999999999999999999999 +9999',
  '253402300800 +0000',
  '1e9 +0000',
  'yesterday',
  '',
]
const encodings = [
  '',
  'utf-8',
  'ISO-8859-1',
  'utf-16le',
  'utf-7',
  'x-user-defined',
  'replacement',
  'gb18030',
  '\u0000',
  'e'.repeat(5000),
]

const messages: readonly (() => string)[] = [
  () => 'Change files\n',
  () => '',
  () => '\n\n\n',
  () => 'x'.repeat(3_000_000),
  () => 'a line\n'.repeat(300_000),
  () => '\r\nX-Injected: yes\r\n\r\n<script>alert(1)</script>',
  () => '\u202e\u0000\u001b[31m\u2066',
  () => 'https://example.test/ '.repeat(50_000),
  () => '[a](javascript:alert(1)) @bob #1 '.repeat(20_000),
  () => `Title\n\n${'Co-authored-by: A <a@b>\n'.repeat(20_000)}`,
]
const headers: readonly (() => string)[] = [
  () => '',
  () => `gpgsig -----BEGIN PGP SIGNATURE-----\n ${'s\n '.repeat(100_000)}\n`,
  () => `mergetag object ${'1'.repeat(40)}\n type commit\n tag x\n`,
  () => 'x y\n'.repeat(50_000),
  () => 'tree \nparent \nauthor\n',
]

/** Adds a commit of the tree whose headers and message may be anything. */
export function addCommit(pack: Pack, random: Random, tree: string, parents: readonly string[]): string {
  const odd = <T>(ordinary: T, others: readonly T[]): T => (random() < 0.6 ? ordinary : oneOf(random, others))
  const person = (): string => `${odd(people[0]!, people)} ${odd(dates[0]!, dates)}`
  const encoding = odd('', encodings)
  return pack.add(
    'commit',
    [
      `tree ${tree}\n`,
      ...parents.map(id => `parent ${id}\n`),
      `author ${person()}\ncommitter ${person()}\n`,
      encoding && `encoding ${encoding}\n`,
      odd(headers[0]!, headers)(),
      '\n',
      odd(messages[0]!, messages)(),
    ].join(''),
  )
}
