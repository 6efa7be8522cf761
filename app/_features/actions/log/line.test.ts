import { describe, expect, it } from 'vitest'
import { kindOf, type LogLine, readLine } from './line'

const line = (rest: Partial<LogLine>): LogLine => ({
  kind: 'text',
  text: '',
  location: '',
  title: '',
  ...rest,
})

describe('readLine', () => {
  it.each<[string, Partial<LogLine>]>([
    ['plain text', { text: 'plain text' }],
    ['  indented: kept', { text: '  indented: kept' }],
    ['::error::it broke', { kind: 'error', text: 'it broke' }],
    [
      '::error file=a.ts,line=1,col=5,title=Oh%2C no%3A::it%0Abroke',
      { kind: 'error', text: 'it\nbroke', location: 'a.ts:1:5', title: 'Oh, no:' },
    ],
    ['::warning file=a.ts::careful', { kind: 'warning', text: 'careful', location: 'a.ts' }],
    ['::notice::100%25 done, %250A stays', { kind: 'notice', text: '100% done, %0A stays' }],
    ['::debug::quiet', { kind: 'debug', text: 'quiet' }],
    ['::group::Run make', { kind: 'group', text: 'Run make' }],
    ['::endgroup::', { kind: 'endgroup' }],
    ['##[group]Set up %5Bit%5D%3B', { kind: 'group', text: 'Set up %5Bit];' }],
    ['##[error]a%3A stays', { kind: 'error', text: 'a%3A stays' }],
    ['##[error file=a;line=2]told', { kind: 'error', text: 'told', location: 'a:2' }],
    ['##[command]git fetch', { kind: 'command', text: 'git fetch' }],
    ['##[section]Starting', { kind: 'section', text: 'Starting' }],
    ['::set-output name=a::1', { text: '::set-output name=a::1' }],
    ['::command::git fetch', { text: '::command::git fetch' }],
    ['::error', { text: '::error' }],
    ['##[error', { text: '##[error' }],
    ['##[unknown]x', { text: '##[unknown]x' }],
    ['std::vector::at', { text: 'std::vector::at' }],
  ])('reads "%s"', (content, read) => {
    expect(readLine(content)).toEqual(line(read))
    expect(kindOf(content)).toBe(read.kind ?? 'text')
  })

  it('takes linear time', () => {
    for (const part of ['::', '##[', '::error file=,', '%', '%0A', '::error ', ' '])
      readLine(part.repeat(65_536 / part.length))
  }, 1000)
})
