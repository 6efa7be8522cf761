import { readdir } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { aboutBoth, aboutEngine, aboutMount } from './lanes.mjs'

const files = (await readdir('server', { recursive: true })).map(name => `server/${name}`)

it.each([...aboutMount, ...aboutEngine, ...aboutBoth].flatMap(withoutBraces))(
  'the test pattern %s in testing/lanes.mjs matches at least one file',
  pattern => {
    const regex = new RegExp(`^${pattern.replaceAll('.', '[.]').replaceAll('*', '[^/]*')}$`)
    expect(files.some(file => regex.test(file))).toBe(true)
  },
)

function withoutBraces(pattern: string): string[] {
  const [, before = '', choices = '', after = ''] = /^(.*)\{(.*)\}(.*)$/.exec(pattern) ?? []
  return choices ? choices.split(',').map(choice => before + choice + after) : [pattern]
}
