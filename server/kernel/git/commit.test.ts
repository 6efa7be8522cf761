import { describe, expect, it } from 'vitest'
import { parseCommit, tagMessage } from './commit'

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
      tagMessage(objectOf(text, 'tag'))
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

it('tagMessage returns the message of a tag', () => {
  expect(tagMessage(objectOf('object abc\ntype commit\ntag v1\n\nOne\n', 'tag'))).toBe('One\n')
})
