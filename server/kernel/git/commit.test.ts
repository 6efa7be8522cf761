import { describe, expect, it } from 'vitest'
import { randomFrom } from '@/testing/random'
import { series } from '@/testing/series'
import { parseCommit } from './commit'
import { parseTag } from './tag'

const objectOf = (text: string | Buffer, type = 'commit') => ({
  sha: 'abc',
  type,
  text: Buffer.from(text),
  isWhole: true,
})

describe('parseCommit', () => {
  it('returns the people, their times and the whole message', () => {
    const text = [
      'tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904',
      'author Jo Tester <jo@example.test> 1700000000 +0200',
      'committer Kim <kim@example.test> 1700000060 -0500',
      'gpgsig -----BEGIN PGP SIGNATURE-----',
      ' author Nobody <x> 1 +0000',
      '',
      'Subject',
      '',
      'Body',
      '',
    ].join('\n')
    expect(parseCommit(objectOf(text))).toEqual({
      sha: 'abc',
      tree: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
      parents: [],
      message: 'Subject\n\nBody\n',
      author: { name: 'Jo Tester', email: 'jo@example.test', date: new Date(1_700_000_000_000) },
      committer: { name: 'Kim', email: 'kim@example.test', date: new Date(1_700_000_060_000) },
      signed: {
        signature: '-----BEGIN PGP SIGNATURE-----\nauthor Nobody <x> 1 +0000\n',
        payload: text.replace(/gpgsig.*\n .*\n/, ''),
      },
    })
  })

  it('returns no signature and no signed payload for a commit that was read only in part', () => {
    const text = 'author A <a> 1 +0000\ngpgsig x\n y\n\nm'
    expect(parseCommit({ ...objectOf(text), isWhole: false }).signed).toEqual({ signature: '', payload: '' })
  })

  it('reads a commit in the encoding that it declares', () => {
    const text = Buffer.from('author J\xf6 <j@x> 0 +0000\nencoding ISO-8859-1\n\nGr\xfc\xdfe\n', 'latin1')
    const { author, message } = parseCommit(objectOf(text))
    expect({ name: author.name, message }).toEqual({ name: 'Jö', message: 'Grüße\n' })
  })

  it('returns the same people as Git, even if the encoding changes their brackets', () => {
    const hidden = 'author Jo \x1b$B <b>x\x1b(B <jo@example.test> 5 +0000\nencoding iso-2022-jp\n\nx'
    expect(parseCommit(objectOf(hidden)).author).toMatchObject({ email: 'b', date: new Date(5000) })
  })

  it.each([
    ['opening brackets', '<'.repeat(60_000)],
    ['closing brackets', `<${'>'.repeat(60_000)}`],
    ['spaces', `${' '.repeat(60_000)}x`],
    ['spaces before the time', `A <a>${' '.repeat(60_000)}x`],
    ['digits', `A <a> ${'1'.repeat(60_000)}x`],
    ['brackets that its encoding hides', `${'\x1b$B <b>x\x1b(B'.repeat(6_000)}`],
  ])('quickly reads a commit with a line of 60 kB of %s', (_, line) => {
    for (const header of ['author', 'committer', 'encoding', 'gpgsig', 'parent']) {
      const text = `${header} ${line}\nencoding iso-2022-jp\n\n${line}`
      const start = performance.now()
      const { message } = parseCommit(objectOf(text))
      parseTag(objectOf(text, 'tag'))
      expect(performance.now() - start).toBeLessThan(200)
      expect(message).not.toBe('')
    }
  })

  it.each([
    '',
    'author\n\n',
    'author <> x\n',
    'author A <a> 99999999999999999999 +0000\n\nx',
    'encoding no-such\n\nx',
  ])('returns what it can read of the malformed commit %j', text => {
    const { author } = parseCommit(objectOf(text))
    expect(typeof author.name).toBe('string')
    expect(Number.isNaN(author.date.getTime())).toBe(false)
  })
})

it('parseCommit returns no people for an object that is not a commit', () => {
  expect(parseCommit(objectOf('author Jo <jo@x> 5 +0000\n\nx', 'blob'))).toMatchObject({
    message: '',
    author: { name: '', email: '' },
  })
})

it('parseCommit returns all of 100 parents, and at most 1,000 of more', () => {
  const parents = Array.from({ length: 2000 }, (_, index) => String(index).padStart(40, '0'))
  const commitWith = (count: number) => {
    const lines = parents.slice(0, count).map(parent => `parent ${parent}\n`)
    return parseCommit(objectOf(`tree ${'1'.repeat(40)}\n${lines.join('')}author A <a> 1 +0000\n\nparent x`))
  }
  expect(commitWith(100).parents).toEqual(parents.slice(0, 100))
  expect(commitWith(2000).parents).toEqual(parents.slice(0, 1000))
})

it('parseCommit leaves out what is no ID of a tree or parent', () => {
  const text = `tree ../x\nparent ${'1'.repeat(39)}\nparent ${'2'.repeat(64)}\nparent ${'3'.repeat(40)} x\n\nm`
  expect(parseCommit(objectOf(text))).toMatchObject({ tree: '', parents: ['2'.repeat(64)] })
})

it('parseCommit and parseTag return something for any bytes', { tags: 'series' }, () => {
  const random = randomFrom(8)
  const below = (limit: number): number => Math.floor(random() * limit)
  const valid = Buffer.from(
    `tree ${'1'.repeat(40)}\nparent ${'2'.repeat(40)}\nauthor Jo <jo@x> 5 +0000\ncommitter Kim <k@x> 6 -0100\n` +
      'encoding ISO-8859-1\ngpgsig -----BEGIN\n x\n\nText\n-----BEGIN PGP SIGNATURE-----\n',
  )
  for (let round = 0; round < series(500, 5_000); round++) {
    const text = Buffer.from(valid)
    for (let changes = below(8); changes >= 0; changes--) text[below(text.length)] = below(256)
    const part = text.subarray(0, below(text.length + 1))
    const { author, committer } = parseCommit(objectOf(part))
    const { tagger, message } = parseTag(objectOf(part, 'tag'))
    for (const { date } of [author, committer, tagger]) expect(Number.isNaN(date.getTime())).toBe(false)
    expect(typeof message).toBe('string')
  }
})

describe('parseTag', () => {
  const headers = `object ${'1'.repeat(40)}\ntype commit\ntag v1\ntagger Jo <jo@x> 5 +0000\n`

  it('returns what a tag points to, its name, tagger and message', () => {
    expect(parseTag(objectOf(`${headers}\nOne\n`, 'tag'))).toEqual({
      sha: 'abc',
      name: 'v1',
      target: '1'.repeat(40),
      targetType: 'commit',
      tagger: { name: 'Jo', email: 'jo@x', date: new Date(5000) },
      message: 'One\n',
    })
  })

  it.each(['PGP SIGNATURE', 'SSH SIGNATURE', 'SIGNED MESSAGE', 'PGP MESSAGE'])(
    'separates the %s at the end from the message',
    what => {
      const signature = `-----BEGIN ${what}-----\nabc\n-----END ${what}-----\n`
      const quoted = `-----BEGIN PGP SIGNATURE-----\nin the text\n`
      const tag = parseTag(objectOf(`${headers}\n${quoted}${signature}`, 'tag'))
      expect(tag).toMatchObject({ message: quoted, signature })
      expect(parseTag(objectOf(`${headers}\n${signature}`, 'tag'))).toMatchObject({ message: '', signature })
    },
  )

  it('returns a tag without a tagger, as Git wrote them until 2005', () => {
    const tag = parseTag(objectOf(`object ${'1'.repeat(40)}\ntype commit\ntag v0.99\n\nx`, 'tag'))
    expect(tag).toMatchObject({ name: 'v0.99', tagger: { name: '', date: new Date(0) }, message: 'x' })
  })
})
